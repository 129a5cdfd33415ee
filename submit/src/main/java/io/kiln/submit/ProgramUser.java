package io.kiln.submit;

import io.kiln.api.KilnException;
import io.kiln.base.settings.LoginSettings;
import io.kiln.base.settings.Setting;
import io.kiln.launcher.Refusal;
import io.kiln.launcher.SubmitSettings;
import io.kiln.submit.login.HadoopLogin;
import io.kiln.submit.login.KeytabRequest;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.function.IntSupplier;
import javax.security.auth.Subject;

/// Who the program is to Hadoop's services, where the submission says that it is another than who
/// starts it.
final class ProgramUser {
  private static final String HADOOP_SETTING = "spark.hadoop.";

  private ProgramUser() {}

  static boolean isOther(Submission submission) {
    return !submission.proxyUser().isEmpty()
        || submission.settings().value(SubmissionRules.PRINCIPAL) != null;
  }

  /// Runs the program on the calling thread, as that user.
  ///
  /// @param hadoop finds Hadoop's classes and Kiln's that use them
  /// @return what the program returns
  /// @throws Refusal if the user can't log in
  static int run(Submission submission, ClassLoader hadoop, IntSupplier program) {
    HadoopLogin login =
        ServiceLoader.load(HadoopLogin.class, hadoop)
            .findFirst()
            .orElseThrow(
                () ->
                    new Refusal(
                        "This installation is not whole: it has no jars/hadoop, which a login"
                            + " needs; install or build it again"));
    SubmitSettings settings = submission.settings();
    if (submission.proxyUser().isEmpty()) {
      for (String warning : login.fromKeytab(keytabRequest(settings))) {
        System.err.println("Warning: " + warning);
      }
      return program.getAsInt(); // all of the process is that user
    }
    Subject user = login.proxyUser(submission.proxyUser(), hadoopSettings(settings));
    try {
      return Subject.callAs(user, program::getAsInt);
    } catch (CompletionException e) {
      throw e.getCause() instanceof Refusal refusal ? refusal : e;
    }
  }

  private static KeytabRequest keytabRequest(SubmitSettings settings) {
    String keytab = settings.value(SubmissionRules.KEYTAB);
    return new KeytabRequest(
        settings.value(SubmissionRules.PRINCIPAL),
        ListedFiles.path(keytab, settings.culprit(SubmissionRules.KEYTAB)).toAbsolutePath(),
        reloginPeriod(settings),
        settings.culprit(SubmissionRules.PRINCIPAL),
        hadoopSettings(settings));
  }

  private static Duration reloginPeriod(SubmitSettings settings) {
    Setting<Duration> period = LoginSettings.RELOGIN_PERIOD;
    try {
      return period.parse(settings.value(period.key(), period.defaultText().orElseThrow()));
    } catch (KilnException e) {
      throw new Refusal(e.getMessage());
    }
  }

  private static Map<String, String> hadoopSettings(SubmitSettings settings) {
    Map<String, String> found = new TreeMap<>();
    settings
        .all()
        .forEach(
            (key, setting) -> {
              if (key.startsWith(HADOOP_SETTING)) {
                found.put(key.substring(HADOOP_SETTING.length()), setting.value());
              }
            });
    return found;
  }
}
