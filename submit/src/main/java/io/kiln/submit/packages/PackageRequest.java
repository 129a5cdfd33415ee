package io.kiln.submit.packages;

import java.util.List;

/// What the user asks for.
///
/// @param coordinates `group:artifact:version`
/// @param exclusions `group:artifact`, where `*` stands for anything
/// @param repositories `URL` or `ID::URL`, to be looked in first
/// @param localRepository the directory of the local repository; empty for Maven's own
/// @param ownFirst whether the application's libraries come before those that it shares with the
///     engine
/// @param culprits who gave them
public record PackageRequest(
    List<String> coordinates,
    List<String> exclusions,
    List<String> repositories,
    String localRepository,
    boolean ownFirst,
    Culprits culprits) {

  /// The options or settings to blame for what is wrong.
  public record Culprits(String coordinates, String exclusions, String repositories) {}
}
