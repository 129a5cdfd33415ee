/// An executor: runs tasks on slot threads and tells the scheduler what became of them. The door is
/// [io.kiln.executor.Executor]; what a task does is in [io.kiln.executor.StageBinary].
package io.kiln.executor;
