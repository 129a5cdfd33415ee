/// What an executor's process and its driver say to each other. The door is
/// [io.kiln.executor.protocol.ExecutorProtocol].
package io.kiln.executor.protocol;
