/// The contract between machines and whoever runs them: [io.kiln.base.machine.Machine] and
/// [io.kiln.base.machine.Turn].
package io.kiln.base.machine;
