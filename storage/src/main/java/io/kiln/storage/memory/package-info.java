/// Who may use how much memory: [UnifiedMemory] for the process, [TaskMemory] for a task.
package io.kiln.storage.memory;
