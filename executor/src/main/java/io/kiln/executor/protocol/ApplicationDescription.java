package io.kiln.executor.protocol;

import java.util.Map;

/// What an executor has to know about the application.
///
/// @param settings the driver's, without secrets
/// @param ownClassPath whether the application's classes are on the class path of the executor's
///     process, as they are on the driver's
public record ApplicationDescription(
    String applicationId, Map<String, String> settings, boolean ownClassPath) {}
