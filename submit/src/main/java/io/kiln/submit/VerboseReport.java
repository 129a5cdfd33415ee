package io.kiln.submit;

import io.kiln.launcher.Settings.Setting;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// What `--verbose` prints before the program runs.
final class VerboseReport {

  private static final Pattern SECRET =
      Pattern.compile(".*(secret|password|token|access\\.key|keytab|credential).*");

  private VerboseReport() {}

  static String of(Submission submission) {
    StringBuilder report = new StringBuilder();
    report.append("Main class:\n  ").append(submission.mainClass()).append('\n');
    report.append("Arguments:\n");
    for (String argument : submission.arguments()) {
      report.append("  ").append(argument).append('\n');
    }
    report.append("Settings, and where each comes from:\n");
    for (Map.Entry<String, Setting> entry : submission.settings().all().entrySet()) {
      report.append("  ").append(entry.getKey()).append(" = ");
      report.append(shown(entry.getKey(), entry.getValue().value()));
      report.append("  (").append(entry.getValue().origin()).append(")\n");
    }
    report.append("Class path, after the shared jars:\n");
    for (Path entry : submission.classPath()) {
      report.append("  ").append(entry).append('\n');
    }
    return report.toString();
  }

  private static String shown(String key, String value) {
    return SECRET.matcher(key.toLowerCase(Locale.ROOT)).matches() ? "*********(redacted)" : value;
  }
}
