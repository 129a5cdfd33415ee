package io.kiln.node;

import io.kiln.base.machine.Message;

/// The first message of whoever opens a link: answers may go back through it.
///
/// @param process as in the addresses of its machines, `host:port`
record ListensAt(String process) implements Message {}
