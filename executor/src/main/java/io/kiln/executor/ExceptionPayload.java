package io.kiln.executor;

import io.kiln.base.machine.Payload;

/// The exception that ended a task, passed within one process.
public record ExceptionPayload(Throwable exception) implements Payload {}
