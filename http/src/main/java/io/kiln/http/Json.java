package io.kiln.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// JSON objects as maps. Values are `String`, `Boolean`, [NumberText], `List`, `Map`; a number is
/// kept as it was written. What is absent and what is `null` is the same.
public final class Json {
  private static final int MAX_DEPTH = 8;
  private static final int MAX_NAME_CHARACTERS = 4096;
  private static final int MAX_NUMBER_CHARACTERS = 100;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNameLength(MAX_NAME_CHARACTERS)
                  .maxNumberLength(MAX_NUMBER_CHARACTERS)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /// A number as it was written.
  public record NumberText(String text) {}

  private Json() {}

  /// @param text as UTF-8
  /// @throws JsonProcessingException if it is no JSON object, or a deep one; its
  ///     [JsonProcessingException#getOriginalMessage] is for people
  public static Map<String, Object> read(byte[] text) throws JsonProcessingException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new NoObject(parser, "it is no JSON object");
      }
      Map<String, Object> object = object(parser);
      if (parser.nextToken() != null) {
        throw new NoObject(parser, "something follows the JSON object");
      }
      return object;
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is read from memory
    }
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (parser.nextToken() != JsonToken.VALUE_NULL) {
        object.put(name, value(parser));
      }
    }
    return object;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new NumberText(parser.getText());
      case VALUE_NULL -> "";
      default -> parser.getText();
    };
  }

  /// Over several lines, for people read it too.
  public static String write(Map<String, ?> object) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(text).useDefaultPrettyPrinter()) {
      write(object, generator);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // it is written to memory
    }
    return text.toString();
  }

  private static void write(Object value, JsonGenerator generator) throws IOException {
    switch (value) {
      case Map<?, ?> object -> {
        generator.writeStartObject();
        for (Map.Entry<?, ?> entry : object.entrySet()) {
          generator.writeFieldName((String) entry.getKey());
          write(entry.getValue(), generator);
        }
        generator.writeEndObject();
      }
      case List<?> list -> {
        generator.writeStartArray();
        for (Object each : list) {
          write(each, generator);
        }
        generator.writeEndArray();
      }
      case Boolean flag -> generator.writeBoolean(flag);
      case NumberText number -> generator.writeNumber(number.text());
      default -> generator.writeString(value.toString());
    }
  }

  private static final class NoObject extends JsonProcessingException {
    private static final long serialVersionUID = 1L;

    NoObject(JsonParser parser, String message) {
      super(message, parser.currentLocation());
    }
  }
}
