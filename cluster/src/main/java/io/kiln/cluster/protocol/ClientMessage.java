package io.kiln.cluster.protocol;

import io.kiln.base.machine.Message;

/// Whatever the client machine of an application takes: [ToApplication], and what happens around it
/// (`io.kiln.cluster.client.ClientEvent`).
public interface ClientMessage extends Message {}
