package io.kiln.cluster.protocol;

import java.util.List;
import java.util.Map;

/// A JVM that a worker starts. No secret may be in it: it is shown to people.
///
/// @param arguments of the main class; `{{WORKER_URL}}`, `{{USER_JAR}}`, `{{EXECUTOR_ID}}`,
///     `{{HOSTNAME}}`, `{{CORES}}` and `{{APP_ID}}` are filled in by the worker
public record Command(
    String mainClass,
    List<String> arguments,
    Map<String, String> environment,
    List<String> classPath,
    List<String> libraryPath,
    List<String> javaOptions) {}
