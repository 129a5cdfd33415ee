package io.kiln.submit.shell;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The class files made of what was typed, by name: what a task that meets such a class asks.
///
/// A definition that is typed again gets a new name, so a name stands for the same bytes for as
/// long as the shell lives. Thread-safe; nothing is ever removed.
final class ShellClasses {
  private final Map<String, byte[]> classFiles = new ConcurrentHashMap<>();

  /// @param name with dots, as in `REPL.$JShell$1`
  void add(String name, byte[] classFile) {
    classFiles.put(name, classFile);
  }

  /// @return the class file, which nobody may change; empty if the shell made no such class
  Optional<byte[]> findClassBytes(String name) {
    return Optional.ofNullable(classFiles.get(name));
  }
}
