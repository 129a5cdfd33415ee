package io.kiln.base.machine;

/// Something that a machine passes on without looking inside: a serialised stage, a task's result.
///
/// Between processes it is bytes; within one process it may be the object itself.
public interface Payload {}
