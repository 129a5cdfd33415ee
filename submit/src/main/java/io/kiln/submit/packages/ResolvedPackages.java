package io.kiln.submit.packages;

import java.nio.file.Path;
import java.util.List;

/// What came of it.
///
/// @param jars what was asked for first, then what that needs
/// @param warnings a line each, for every user
/// @param notes a line each, for a user who wants to know
public record ResolvedPackages(List<Path> jars, List<String> warnings, List<String> notes) {}
