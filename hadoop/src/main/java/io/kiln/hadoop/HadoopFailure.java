package io.kiln.hadoop;

import io.kiln.api.KilnException;
import io.kiln.base.filesystem.FileSystemUnavailable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/// Hadoop's errors as those that [io.kiln.base.filesystem.FileSystem] promises, each with one line.
final class HadoopFailure {

  private HadoopFailure() {}

  static KilnException unusable(String path, IOException failure) {
    return new KilnException(
        "FILE_SYSTEM_UNAVAILABLE",
        KilnException.Kind.EXTERNAL,
        "can't use '" + path + "': " + reason(failure),
        failure);
  }

  private static String reason(IOException failure) {
    return failure instanceof FileSystemException known && known.getReason() != null
        ? known.getReason()
        : firstLine(failure);
  }

  /// Hadoop's own error is the cause only where it may say more than what is made of it.
  static IOException translated(String path, Exception failure) {
    Exception own = failure instanceof RemoteException remote ? unwrapped(remote) : failure;
    return switch (own) {
      case FileSystemException already -> already;
      case FileSystemUnavailable already -> already;
      case FileNotFoundException _ -> new NoSuchFileException(path);
      case AccessControlException _ -> new AccessDeniedException(path, null, firstLine(own));
      case org.apache.hadoop.fs.FileAlreadyExistsException _ ->
          new FileAlreadyExistsException(path);
      case ParentNotDirectoryException _ -> new NotDirectoryException(path);
      case RemoteException remote when remote.getClassName().endsWith(".SafeModeException") ->
          new FileSystemUnavailable(
              "the name node is in safe mode, in which nothing can be changed; try again when"
                  + " `hdfs dfsadmin -safemode get` says that it is off");
      default -> unreachable(own).orElseGet(() -> unknown(path, own));
    };
  }

  private static IOException unwrapped(RemoteException remote) {
    return remote.unwrapRemoteException();
  }

  private static IOException unknown(String path, Exception failure) {
    FileSystemException unknown = new FileSystemException(path, null, firstLine(failure));
    unknown.initCause(failure);
    return unknown;
  }

  private static Optional<IOException> unreachable(Exception failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof UnknownHostException) {
        return Optional.of(
            new FileSystemUnavailable(
                "no host has the name "
                    + firstLine(at).replaceAll("^Invalid host name: ", "")
                    + "; correct it, or set HADOOP_CONF_DIR to the directory whose hdfs-site.xml"
                    + " says what the name means"));
      }
      if (at instanceof SocketTimeoutException || at instanceof SocketException) {
        return Optional.of(
            new FileSystemUnavailable(
                "the server does not answer, after several tries: "
                    + firstLine(failure)
                    + "; check that it runs, and that the path and core-site.xml name its"
                    + " address"));
      }
    }
    return Optional.empty();
  }

  /// Hadoop's messages go on with a stack trace, or with where to read more.
  private static String firstLine(Throwable failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return message.lines().findFirst().orElse("").replaceAll("; For more details see: .*", "");
  }
}
