/// An executor as a process of its own: [io.kiln.executor.process.ExecutorMain].
package io.kiln.executor.process;
