/// What a driver and its executors say to each other, and the names that they use for what they
/// speak of: blocks, their holders, stage attempts. The door is
/// [io.kiln.protocol.ExecutorProtocol].
package io.kiln.protocol;
