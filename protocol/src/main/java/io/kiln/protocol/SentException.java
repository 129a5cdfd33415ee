package io.kiln.protocol;

import io.kiln.base.machine.Payload;

/// The exception that ended a task, on its way between processes.
///
/// @param serialized to be read where the application's classes are found
public record SentException(byte[] serialized) implements Payload {}
