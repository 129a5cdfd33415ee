package io.kiln.launcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Keeps secrets out of what is printed: all that shows settings, arguments or commands to people
/// asks here. They are known by the names of what they are given to.
public final class Secrets {

  /// Shown in place of one.
  public static final String REDACTED = "*********(redacted)";

  private static final Pattern NAME =
      Pattern.compile(
          "(?i)secret|password|passwd|passphrase|passcode|token|keytab|credential"
              + "|(access|account|api|auth|client|encryption|private|shared|signing|storage)"
              + "[._-]?key"
              + "|[._-](pwd|sas)\\b");

  /// What is a switch, a kind, a number, or the place of a secret in a file, is none itself.
  private static final Pattern HARMLESS =
      Pattern.compile("(?i)true|false|keytab|ccache|[0-9]+[a-z]{0,3}|(file:)?/.*|");

  /// The user's name and password in a URL.
  private static final Pattern USER_IN_URL = Pattern.compile("(?<=://)[^/@,\\s]+@");

  private Secrets() {}

  /// Whether the value of such a setting, property or option is nobody's business.
  public static boolean isNamedBy(String name) {
    return NAME.matcher(name).find();
  }

  /// Whether somebody who sees this setting sees a secret.
  static boolean isGivenBy(String name, String value) {
    return !HARMLESS.matcher(value).matches()
        && !name.toLowerCase(Locale.ROOT).endsWith("file")
        && !name.toLowerCase(Locale.ROOT).endsWith("keytab")
        && !name.endsWith(".regex")
        && (isNamedBy(name) || !redact(value).equals(value));
  }

  /// The text without the users and passwords of its URLs.
  public static String withoutUsers(String text) {
    return USER_IN_URL.matcher(text).replaceAll("***@");
  }

  /// The words of a command, for people to read.
  public static List<String> redact(List<String> command) {
    List<String> shown = new ArrayList<>();
    String before = "";
    for (String word : command) {
      boolean isValue = before.startsWith("-") && before.indexOf('=') < 0 && isNamedBy(before);
      shown.add(isValue ? REDACTED : redact(word));
      before = word;
    }
    return shown;
  }

  /// A word may hold several pairs, as `spark.driver.extraJavaOptions=-Da=b -Dc=d`; all that
  /// follows the first secret's name is hidden.
  static String redact(String word) {
    int from = 0;
    for (int at = word.indexOf('='); at >= 0; at = word.indexOf('=', from)) {
      if (isNamedBy(word.substring(from, at))) {
        return withoutUsers(word.substring(0, at + 1)) + REDACTED;
      }
      from = at + 1;
    }
    return withoutUsers(word);
  }
}
