package io.kiln.daemon.rest;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.kiln.cluster.protocol.DriverDescription;
import io.kiln.http.Json;
import io.kiln.node.RequestedDriver;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The body of a request to run a driver in the cluster. Nothing that it names is opened here: that
/// is the worker's, which runs the driver.
///
/// @param appResource the application's jar
/// @param unknownFields that this version does not know
record CreateRequest(
    String appResource,
    String mainClass,
    List<String> appArgs,
    Map<String, String> environment,
    Map<String, String> sparkProperties,
    List<String> unknownFields) {

  private static final String ACTION = "CreateSubmissionRequest";
  private static final Set<String> FIELDS =
      Set.of(
          "action",
          "message",
          "appResource",
          "mainClass",
          "appArgs",
          "clientSparkVersion",
          "environmentVariables",
          "sparkProperties");
  private static final List<String> REQUIRED_PROPERTIES = List.of("spark.app.name", "spark.master");
  private static final Set<String> SCHEMES =
      Set.of(
          "file",
          "local",
          "http",
          "https",
          "ftp",
          "hdfs",
          "webhdfs",
          "swebhdfs",
          "viewfs",
          "s3a",
          "gs",
          "abfs",
          "abfss",
          "wasb",
          "wasbs",
          "ofs",
          "o3fs");

  /// Of the client's host, and no other's.
  private static final Set<String> VARIABLES_OF_ONE_HOST =
      Set.of("SPARK_LOCAL_IP", "SPARK_LOCAL_HOSTNAME");

  /// @throws Refused if it isn't one
  static CreateRequest parse(byte[] body) throws Refused {
    if (body.length == 0) {
      throw Refused.malformed("the body is empty");
    }
    Map<String, Object> fields;
    try {
      fields = Json.read(body);
    } catch (JsonProcessingException e) {
      throw Refused.malformed(
          "the body is not JSON as it should be: "
              + firstLine(e.getOriginalMessage())
              + place(e.getLocation()));
    }
    String action = text(fields, "action");
    if (!action.equals(ACTION)) {
      throw Refused.malformed("the action here is " + ACTION + ", and not what the body says");
    }
    String _ = text(fields, "clientSparkVersion");
    return new CreateRequest(
        resource(text(fields, "appResource")),
        className(text(fields, "mainClass")),
        texts(fields, "appArgs"),
        environment(pairs(fields, "environmentVariables")),
        properties(pairs(fields, "sparkProperties")),
        fields.keySet().stream().filter(name -> !FIELDS.contains(name)).toList());
  }

  private static String place(JsonLocation location) {
    return location == null
        ? ""
        : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  // ---- its fields -----------------------------------------------------------------------------

  private static String text(Map<String, Object> fields, String name) throws Refused {
    Object value = fields.get(name);
    if (value == null) {
      throw Refused.malformed("the field " + name + " is missing");
    }
    if (!(value instanceof String text) || text.isBlank()) {
      throw Refused.malformed("the field " + name + " must be a text, and not empty");
    }
    return text;
  }

  private static List<String> texts(Map<String, Object> fields, String name) throws Refused {
    Object value = fields.getOrDefault(name, List.of());
    if (!(value instanceof List<?> list)) {
      throw Refused.malformed("the field " + name + " must be a list of texts");
    }
    List<String> texts = new ArrayList<>();
    for (Object each : list) {
      texts.add(plain(each, name));
    }
    return List.copyOf(texts);
  }

  private static Map<String, String> pairs(Map<String, Object> fields, String name) throws Refused {
    Object value = fields.getOrDefault(name, Map.of());
    if (!(value instanceof Map<?, ?> map)) {
      throw Refused.malformed("the field " + name + " must be an object with texts");
    }
    Map<String, String> pairs = new LinkedHashMap<>();
    for (Map.Entry<?, ?> each : map.entrySet()) {
      pairs.put((String) each.getKey(), plain(each.getValue(), name));
    }
    return pairs;
  }

  private static String plain(Object value, String name) throws Refused {
    return switch (value) {
      case String text -> {
        if (text.indexOf('\0') >= 0) {
          throw Refused.malformed("a text in the field " + name + " has a zero character");
        }
        yield text;
      }
      case Json.NumberText number -> number.text();
      case Boolean flag -> flag.toString();
      default -> throw Refused.malformed("the field " + name + " must hold texts only");
    };
  }

  private static String resource(String text) throws Refused {
    try {
      String scheme = new URI(text).getScheme();
      if (scheme == null ? new File(text).isAbsolute() : SCHEMES.contains(scheme)) {
        return text;
      }
    } catch (URISyntaxException e) {
      // as below
    }
    throw Refused.malformed(
        "appResource must be the URI of a jar that workers can fetch, such as hdfs:, http: or"
            + " local:, or an absolute path");
  }

  private static String className(String name) throws Refused {
    boolean plain = Character.isJavaIdentifierStart(name.charAt(0));
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      plain &=
          c == '.' || (Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
    }
    if (!plain) {
      throw Refused.malformed("mainClass is no name of a class");
    }
    return name;
  }

  private static Map<String, String> environment(Map<String, String> given) throws Refused {
    Map<String, String> environment = new LinkedHashMap<>(given);
    environment.keySet().removeAll(VARIABLES_OF_ONE_HOST);
    for (String name : environment.keySet()) {
      if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
        throw Refused.malformed("environmentVariables has what is no name of a variable");
      }
    }
    return environment;
  }

  private static Map<String, String> properties(Map<String, String> properties) throws Refused {
    if (properties.isEmpty()) {
      throw Refused.malformed("the field sparkProperties is missing or empty");
    }
    for (String key : REQUIRED_PROPERTIES) {
      if (properties.getOrDefault(key, "").isBlank()) {
        throw Refused.malformed("sparkProperties must have " + key);
      }
    }
    return properties;
  }

  // ---- what it means --------------------------------------------------------------------------

  /// @param restPort of this gateway, which clients may have as the master's
  /// @param masterUrl `spark://host:port`, by which drivers reach the master
  /// @throws Refused if a property's value is of no use
  DriverDescription driver(int restPort, String masterUrl) throws Refused {
    try {
      return new RequestedDriver(appResource, mainClass, appArgs, environment, sparkProperties)
          .describe(masters(sparkProperties.get("spark.master"), restPort, masterUrl));
    } catch (RequestedDriver.Unusable e) {
      throw Refused.malformed(e.getMessage());
    }
  }

  private static String masters(String given, int restPort, String masterUrl) {
    String nativePort = masterUrl.substring(masterUrl.lastIndexOf(':'));
    List<String> masters = new ArrayList<>();
    for (String each : given.split(",", -1)) {
      String ownEnd = ":" + restPort;
      masters.add(
          each.endsWith(ownEnd)
              ? each.substring(0, each.length() - ownEnd.length()) + nativePort
              : each);
    }
    return String.join(",", masters);
  }
}
