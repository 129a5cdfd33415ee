package io.kiln.daemon.worker;

import io.kiln.api.KilnException;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.WorkerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// As whom a worker starts processes: as itself, or, where it is root and a setting says so, as the
/// users who submitted them. Immutable.
///
/// The change is `setpriv`'s, of util-linux, which becomes the process: so the worker watches and
/// signals the process itself.
final class Users {
  private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_.-]{0,31}");
  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwx--x--x");
  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final long ANSWER_WITHIN_SECONDS = 30;

  /// Of the worker's environment, by the programs that it asks.
  private static final Set<String> NEEDED = Set.of("PATH", "LD_LIBRARY_PATH");

  private final boolean asSubmitter;

  private Users(boolean asSubmitter) {
    this.asSubmitter = asSubmitter;
  }

  /// @throws KilnException `USER_UNUSABLE` if it is wanted and this process can't do it
  static Users of(Settings settings) {
    boolean wanted = settings.get(WorkerSettings.RUN_AS_SUBMITTER);
    if (wanted) {
      try {
        if (!ask("id", "-u").equals("0")) {
          throw unusable("the worker isn't root; start it as root, or leave the setting out");
        }
        String _ = ask("setpriv", "--version");
      } catch (IOException e) {
        throw unusable(e.getMessage() + "; it needs id and setpriv (util-linux)");
      }
    }
    return new Users(wanted);
  }

  private static KilnException unusable(String why) {
    return new KilnException(
        "USER_UNUSABLE",
        KilnException.Kind.USER,
        WorkerSettings.RUN_AS_SUBMITTER.key() + "=true can't be done: " + why);
  }

  /// Lets the users' processes pass to their directories in these; they see no names there.
  void openForAll(List<Path> directories) throws IOException {
    if (asSubmitter) {
      for (Path directory : directories) {
        Files.setPosixFilePermissions(directory, PASSABLE);
      }
    }
  }

  /// @param name of who submitted it, as he says
  /// @throws IOException if nothing can run as he
  User find(String name) throws IOException {
    if (!asSubmitter) {
      return new User(Optional.empty());
    }
    if (!NAME.matcher(name).matches()) {
      throw new IOException(
          "it can't run as its submitter: "
              + (name.isEmpty()
                  ? "the submission names none"
                  : "'" + shown(name) + "' is no name"));
    }
    try {
      int uid = Integer.parseInt(ask("id", "-u", name));
      int gid = Integer.parseInt(ask("id", "-g", name));
      if (uid == 0 || gid == 0) {
        throw new IOException("it can't run as " + name + ", who is root or of root's group");
      }
      return new User(Optional.of(new Account(name, uid, gid)));
    } catch (NumberFormatException e) {
      throw new IOException("it can't run as " + name + ": id says " + e.getMessage(), e);
    }
  }

  private static String shown(String name) {
    return name.replaceAll("[^ -~]", "?").substring(0, Math.min(name.length(), 40));
  }

  private static String ask(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().retainAll(NEEDED);
    Process process = builder.start();
    process.getOutputStream().close();
    String answer =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (!process.waitFor(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(
            "it can't run as wanted: " + String.join(" ", command) + " says: " + answer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command[0] + " was asked", e);
    }
    return answer;
  }

  private record Account(String name, int uid, int gid) {}

  /// One user, or the worker's own.
  record User(Optional<Account> account) {

    /// The command, run as that user.
    List<String> command(List<String> wanted) {
      if (account.isEmpty()) {
        return wanted;
      }
      List<String> command = new ArrayList<>();
      command.add("setpriv");
      command.add("--reuid=" + account.get().uid());
      command.add("--regid=" + account.get().gid());
      command.add("--init-groups");
      command.add("--inh-caps=-all");
      command.add("--no-new-privs");
      command.add("--");
      command.addAll(wanted);
      return command;
    }

    /// In place of the worker's.
    Map<String, String> environment() {
      return account
          .map(user -> Map.of("USER", user.name(), "LOGNAME", user.name()))
          .orElse(Map.of());
    }

    boolean isOther() {
      return account.isPresent();
    }

    /// Makes a directory for what the worker writes of a process. It stays the worker's own, so
    /// that nobody puts links there in the way of what root writes; the user may pass through it.
    ///
    /// @return where the process works: that directory, or one in it that is the user's
    Path makeDirectory(Path directory) throws IOException {
      if (account.isEmpty()) {
        Files.createDirectories(directory);
        return directory;
      }
      makePassable(directory.getParent());
      makePassable(directory);
      for (String printed : RunningProcess.PRINTED) {
        Path file = directory.resolve(printed);
        if (!Files.exists(file)) {
          Files.createFile(file);
          own(file);
        }
      }
      return makeOwnDirectory(directory.resolve("files"));
    }

    private static void makePassable(Path directory) throws IOException {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PASSABLE);
      }
    }

    /// Makes a directory of the user's own.
    Path makeOwnDirectory(Path directory) throws IOException {
      if (account.isEmpty()) {
        Files.createDirectories(directory);
      } else if (!Files.isDirectory(directory)) {
        Files.createDirectory(directory, PRIVATE);
        own(directory);
      }
      return directory;
    }

    /// Gives him what the worker has made, in a directory of the worker's own.
    void own(Path file) throws IOException {
      if (account.isPresent()) {
        UserPrincipal user =
            file.getFileSystem()
                .getUserPrincipalLookupService()
                .lookupPrincipalByName(account.get().name());
        Files.setOwner(file, user);
      }
    }
  }
}
