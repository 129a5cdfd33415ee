package io.kiln.protocol;

/// Something that the application has given to its tasks, to be had from the driver by
/// [ContentRequest.FetchResource].
///
/// @param id unique in the application
/// @param name under which tasks find it
/// @param fileName what it is called where it comes from
/// @param localPath where each machine has it already; empty if it is to be fetched
/// @param executable whether it is a program
public record SharedResource(
    int id, Kind kind, String name, String fileName, String localPath, boolean executable) {

  /// What is made of it.
  public enum Kind {
    /// A file as it is.
    FILE,
    /// A directory, or an archive that is to become one.
    ARCHIVE,
    /// Its classes are found by tasks.
    JAR
  }
}
