/// Connections between processes: messages in batches, questions with deadlines, streams of bytes.
/// The door is [io.kiln.network.transport.Transport].
///
/// What is on the wire, after TLS where there is a secret: the two sides introduce themselves
/// ([io.kiln.network.transport.Introduction]), then frames of a four byte length each, or, on a
/// connection for streams, requests one way and contents the other.
package io.kiln.network.transport;
