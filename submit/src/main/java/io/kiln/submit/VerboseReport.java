package io.kiln.submit;

import io.kiln.base.classpath.ApplicationJars;
import io.kiln.base.classpath.ApplicationJars.Overlap;
import io.kiln.base.settings.ApplicationSettings;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.Secrets;
import io.kiln.launcher.SubmitSettings;
import io.kiln.launcher.SubmitSettings.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// What `--verbose` prints before the program runs, without secrets.
final class VerboseReport {

  private VerboseReport() {}

  /// @throws Refusal if the user's pattern of what is secret is none
  static String of(Submission submission) {
    StringBuilder report =
        new StringBuilder(
            of(submission.mainClass(), submission.arguments(), submission.settings()));
    report.append("Class path, after the shared jars:\n");
    for (Path entry : submission.classPath()) {
      report.append("  ").append(entry).append('\n');
    }
    if (!submission.dependencies().notes().isEmpty()) {
      report.append("Packages:\n");
      for (String note : submission.dependencies().notes()) {
        report.append("  ").append(note).append('\n');
      }
    }
    appendOverlaps(report, new ApplicationJars(submission.classPath()).overlaps());
    return report.toString();
  }

  /// Of what runs elsewhere.
  ///
  /// @throws Refusal if the user's pattern of what is secret is none
  static String of(String mainClass, List<String> arguments, SubmitSettings settings) {
    Pattern secret = secret(settings);
    StringBuilder report = new StringBuilder();
    report.append("Main class:\n  ").append(mainClass).append('\n');
    report.append("Arguments:\n");
    for (String argument : Secrets.redact(arguments)) {
      report.append("  ").append(argument).append('\n');
    }
    report.append("Settings, and where each comes from:\n");
    for (Map.Entry<String, Setting> entry : settings.all().entrySet()) {
      report.append("  ").append(entry.getKey()).append(" = ");
      report.append(shown(entry.getKey(), entry.getValue().value(), secret));
      report.append("  (").append(entry.getValue().origin()).append(")\n");
    }
    return report.toString();
  }

  private static void appendOverlaps(StringBuilder report, List<Overlap> overlaps) {
    if (overlaps.isEmpty()) {
      return;
    }
    report.append("Classes that are in two jars:\n");
    for (Overlap overlap : overlaps) {
      report.append("  ").append(overlap.example());
      if (overlap.count() > 1) {
        report.append(" and ").append(overlap.count() - 1).append(" more");
      }
      report.append(": that of ").append(overlap.used()).append(" holds, not that of ");
      report.append(overlap.hidden()).append('\n');
    }
  }

  private static Pattern secret(SubmitSettings settings) {
    String key = ApplicationSettings.REDACTION_REGEX.key();
    String regex =
        settings.value(key, ApplicationSettings.REDACTION_REGEX.defaultText().orElseThrow());
    try {
      return Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new Refusal(
          key + " is '" + regex + "', which is no regular expression: " + e.getDescription());
    }
  }

  /// The pattern itself names what is secret, and is none.
  private static String shown(String key, String value, Pattern secret) {
    boolean hidden =
        Secrets.isNamedBy(key) // whatever the user's own pattern says
            || (!key.equals(ApplicationSettings.REDACTION_REGEX.key())
                && (secret.matcher(key).find() || secret.matcher(value).find()));
    return hidden ? Secrets.REDACTED : Secrets.withoutUsers(value);
  }
}
