package hadoop;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Date;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/// Tells who it is to Hadoop.
public class HadoopUser {

  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "who" -> {
        System.out.println("driver " + who());
        try (KilnContext context = KilnContext.create(new KilnConf())) {
          context.range(0, 4, 1, 4).map(_ -> who()).distinct().collect().stream()
              .map(who -> "task " + who)
              .forEach(System.out::println);
        }
        System.out.println("login " + UserGroupInformation.getLoginUser());
      }
      case "settings" -> {
        for (String key : arguments) {
          System.out.println(key + "=" + new Configuration().get(key));
        }
      }
      case "files" -> {
        for (FileStatus file :
            FileSystem.get(URI.create("file:///"), new Configuration())
                .listStatus(new Path(arguments[1]))) {
          System.out.println(file.getPath().getName());
        }
      }
      case "renewed" -> awaitAnotherTicket();
      case "exit" -> System.exit(7);
      case "throw" -> throw new IOException("no such thing");
      default -> FileSystem.get(URI.create("nothing://here"), new Configuration());
    }
  }

  private static String who() {
    try {
      return UserGroupInformation.getCurrentUser().toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void awaitAnotherTicket() throws Exception {
    Date first = ticketsStart();
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (ticketsStart().equals(first)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("still the ticket of " + first);
      }
      Thread.sleep(100);
    }
    System.out.println("another ticket");
  }

  private static Date ticketsStart() throws Exception {
    return UserGroupInformation.getLoginUser()
        .doAs(
            (PrivilegedExceptionAction<Date>)
                () ->
                    Subject.current().getPrivateCredentials(KerberosTicket.class).stream()
                        .filter(ticket -> ticket.getServer().getName().startsWith("krbtgt/"))
                        .findFirst()
                        .map(KerberosTicket::getStartTime)
                        .orElse(new Date(0)));
  }
}
