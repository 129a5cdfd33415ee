/// What the transport carries, beside Netty alone: round trips of small messages, and large
/// streams.
package io.kiln.bench.transport;
