package io.kiln.daemon.recovery;

import io.kiln.base.settings.Settings;
import java.util.Optional;

/// What a [Recovery] is told of its master.
///
/// @param process where it listens, `host:port`
/// @param host of that
/// @param secret that masters share and nobody else; empty if processes don't authenticate each
/// other
public record RecoverySetup(
    String process, String host, Settings settings, Optional<byte[]> secret) {}
