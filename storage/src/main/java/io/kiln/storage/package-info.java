/// What one process keeps: memory, blocks, map outputs. The door is [LocalStorage]; a task uses a
/// [TaskStorage].
package io.kiln.storage;
