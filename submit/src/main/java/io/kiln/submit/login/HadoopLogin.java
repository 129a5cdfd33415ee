package io.kiln.submit.login;

import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;

/// Settles who a program is to Hadoop's services, once, before it starts. Found by
/// [java.util.ServiceLoader] among the jars of `jars/hadoop`.
///
/// The calling thread's class loader finds Hadoop's own files of settings.
public interface HadoopLogin {

  /// Logs in whoever the keytab is for, and keeps them logged in for as long as the process runs.
  ///
  /// @return warnings, a line each
  /// @throws io.kiln.launcher.Refusal if they can't log in
  List<String> fromKeytab(KeytabRequest request);

  /// @param name the user to be
  /// @param settings of Hadoop, stronger than its files
  /// @return as whom a thread has to run to act for that user, by who started the process
  /// @throws io.kiln.launcher.Refusal if that one can't log in
  Subject proxyUser(String name, Map<String, String> settings);
}
