/// What every process of the engine needs, whatever it does: to start another one, to talk to
/// others and to leave nothing behind.
///
/// The command of a JVM is [io.kiln.process.EngineJvm], the set-up of its transport
/// [io.kiln.process.NetworkSetup], what it shares with its peers [io.kiln.process.SharedSecret],
/// and where it may write [io.kiln.process.ScratchDirectories].
package io.kiln.process;
