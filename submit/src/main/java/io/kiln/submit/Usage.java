package io.kiln.submit;

import io.kiln.launcher.SubmitOption;

/// The texts of `--help` and `--version`, made from the table of options.
final class Usage {

  private Usage() {}

  static String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        Usage: spark-submit [options] APPLICATION-JAR [arguments]
               run-example [options] CLASS [arguments]
               spark-shell [options] [-i FILE]

        An option's value may also be joined to it: --name=VALUE. All that follows the
        application's jar goes to the application.
        """);
    for (SubmitOption.Group group : SubmitOption.Group.values()) {
      text.append('\n').append(group.title()).append(":\n");
      for (SubmitOption option : SubmitOption.values()) {
        if (option.group() == group) {
          text.append(
              String.format(
                  "  %-36s %s%n", option.spelling() + " " + option.valueName(), option.help()));
        }
      }
    }
    return text.toString();
  }

  static String version() {
    String version = Usage.class.getPackage().getImplementationVersion();
    return String.format(
        "Kiln version %s, on Java %s (%s)%n",
        version == null ? "(not packaged)" : version,
        System.getProperty("java.version"),
        System.getProperty("java.vendor"));
  }
}
