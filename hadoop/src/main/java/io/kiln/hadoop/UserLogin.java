package io.kiln.hadoop;

import io.kiln.launcher.Refusal;
import io.kiln.submit.login.HadoopLogin;
import io.kiln.submit.login.KeytabRequest;
import java.io.IOException;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs in by Hadoop's `UserGroupInformation`, of which there is one in a process: whoever uses
/// Hadoop's classes afterwards, program or task, is who was logged in.
public final class UserLogin implements HadoopLogin {
  private static final Logger LOG = LoggerFactory.getLogger(UserLogin.class);

  @Override
  public List<String> fromKeytab(KeytabRequest request) {
    configure(request.settings());
    if (!UserGroupInformation.isSecurityEnabled()) {
      return List.of(
          request.culprit()
              + " has no effect, as "
              + CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION
              + " is simple: set it to kerberos in the core-site.xml of HADOOP_CONF_DIR");
    }
    try {
      UserGroupInformation.loginUserFromKeytab(request.principal(), request.keytab().toString());
    } catch (IOException | IllegalArgumentException e) {
      throw new Refusal(
          request.culprit()
              + ": "
              + request.principal()
              + " can't log in with the keytab "
              + request.keytab()
              + ": "
              + why(request, e));
    }
    if (request.reloginPeriod().isPositive()) {
      Thread renewal =
          new Thread(
              () -> stayLoggedIn(request.principal(), request.reloginPeriod()),
              "kiln-hadoop-login");
      renewal.setDaemon(true);
      renewal.start();
    }
    return List.of();
  }

  @Override
  public Subject proxyUser(String name, Map<String, String> settings) {
    configure(settings);
    try {
      UserGroupInformation real = UserGroupInformation.getCurrentUser();
      return UserGroupInformation.createProxyUser(name, real)
          .doAs((PrivilegedAction<Subject>) Subject::current);
    } catch (IOException e) {
      throw new Refusal(
          "--proxy-user: who starts the program can't log in to Hadoop: " + rootMessage(e));
    }
  }

  /// With what the thread's class loader finds: the files of `HADOOP_CONF_DIR`, among others.
  private static void configure(Map<String, String> settings) {
    Configuration configuration = new Configuration();
    settings.forEach((key, value) -> configuration.set(key, value, "spark.hadoop." + key));
    try {
      UserGroupInformation.setConfiguration(configuration);
    } catch (RuntimeException e) {
      throw new Refusal("Hadoop's settings don't allow a login: " + rootMessage(e));
    }
  }

  /// Java's own message for a keytab without the principal is about a password.
  private static String why(KeytabRequest request, Exception failure) {
    try {
      KerberosPrincipal principal = new KerberosPrincipal(request.principal());
      KeyTab keytab = KeyTab.getInstance(principal, request.keytab().toFile());
      if (keytab.getKeys(principal).length == 0) {
        return "it has no key of that principal";
      }
    } catch (IllegalArgumentException e) {
      return rootMessage(e); // there is no realm, in the principal or in krb5.conf
    }
    return rootMessage(failure);
  }

  /// What lies behind a failed login is how the server's answer was read.
  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && !(root instanceof LoginException)) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage().replace('\n', ' ');
  }

  /// Hadoop logs in again when four fifths of the ticket's life are over.
  private static void stayLoggedIn(String principal, Duration period) {
    while (true) {
      try {
        Thread.sleep(period);
        UserGroupInformation.getLoginUser().checkTGTAndReloginFromKeytab();
      } catch (IOException e) {
        LOG.warn("{} could not be logged in again; next try in {}", principal, period, e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
