package io.kiln.submit;

import io.kiln.launcher.ClusterManager;
import io.kiln.launcher.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where an application runs, as `--master` says it.
///
/// This version runs local ones only: this process does all the work.
///
/// @param text as given
/// @param threads tasks at a time, from 1; 0 stands for as many as there are processors
/// @param maxFailures how often one task may be tried
record MasterUrl(String text, int threads, int maxFailures) {

  private static final Pattern LOCAL =
      Pattern.compile("local(?:\\[\\s*(\\*|[0-9]+)\\s*(?:,\\s*([0-9]+)\\s*)?])?");
  private static final String LOCAL_FORMS = "local, local[N], local[*] or local[N,F]";

  /// @param culprit the option or setting to blame
  /// @throws Refusal if it isn't a local master, or not a master at all
  static MasterUrl parse(String text, String culprit) {
    Matcher local = LOCAL.matcher(text);
    if (local.matches()) {
      return local(text, local.group(1), local.group(2), culprit);
    }
    String manager = otherManager(text);
    if (!manager.isEmpty()) {
      throw new Refusal(
          "%s is %s: %s is not available in this version; use %s"
              .formatted(culprit, text, manager, LOCAL_FORMS));
    }
    throw notAMaster(text, culprit);
  }

  private static MasterUrl local(String text, String threads, String failures, String culprit) {
    int threadCount =
        threads == null ? 1 : threads.equals("*") ? 0 : positive(threads, text, culprit);
    int failureCount = failures == null ? 1 : positive(failures, text, culprit);
    return new MasterUrl(text, threadCount, failureCount);
  }

  private static int positive(String digits, String text, String culprit) {
    if (digits.length() > 6 || Integer.parseInt(digits) == 0) {
      throw notAMaster(text, culprit);
    }
    return Integer.parseInt(digits);
  }

  private static Refusal notAMaster(String text, String culprit) {
    return new Refusal(
        "%s is '%s', which names no master: use %s, with N and F from 1"
            .formatted(culprit, text, LOCAL_FORMS));
  }

  private static String otherManager(String text) {
    if (text.startsWith("mesos://") || text.startsWith("zk://")) {
      return "Mesos, which is retired,";
    }
    ClusterManager manager = ClusterManager.of(text);
    return manager == ClusterManager.LOCAL ? "" : manager.title();
  }
}
