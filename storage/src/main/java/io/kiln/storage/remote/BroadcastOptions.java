package io.kiln.storage.remote;

import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StorageSettings;
import io.kiln.storage.compression.CompressionCodec;

/// How broadcasts reach other processes.
///
/// @param pieceBytes about what a piece has, as stored
/// @param checksum whether each piece's checksum, from when it was made, is verified wherever it
///     arrives
/// @param codec that makes pieces smaller
public record BroadcastOptions(int pieceBytes, boolean checksum, CompressionCodec codec) {

  /// @throws io.kiln.api.KilnException `SETTING_INVALID`
  public static BroadcastOptions of(Settings settings) {
    return new BroadcastOptions(
        Math.toIntExact(settings.get(StorageSettings.BROADCAST_BLOCK_SIZE)),
        settings.get(StorageSettings.BROADCAST_CHECKSUM),
        settings.get(StorageSettings.BROADCAST_COMPRESS)
            ? CompressionCodec.fromSetting(settings.get(StorageSettings.CODEC))
            : CompressionCodec.NONE);
  }
}
