package io.kiln.executor;

import io.kiln.api.KilnException;
import io.kiln.base.settings.MemorySettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.ShuffleSettings;
import io.kiln.base.settings.StorageSettings;
import io.kiln.process.ScratchDirectories;
import io.kiln.storage.StorageOptions;
import io.kiln.storage.StorageOptions.MemoryOptions;
import io.kiln.storage.compression.CompressionCodec;
import io.kiln.storage.compression.CompressionOptions;
import io.kiln.storage.compression.FrameKey;
import io.kiln.storage.serializer.SerializerChoice;
import java.security.SecureRandom;
import java.util.Optional;

/// Reads the settings of the storage.
public final class StorageSetup {
  private static final int SMALLEST_BUFFER = 4096;

  private StorageSetup() {}

  /// @param ioKey of the application, from [#newIoKey] in its driver
  /// @throws KilnException `SETTING_INVALID`; `IO_KEY_MISSING` if what is stored is to be encrypted
  /// and there is no key
  public static StorageOptions options(
      Settings settings, ScratchDirectories directories, Optional<byte[]> ioKey) {
    StorageOptions options =
        new StorageOptions(
            memory(settings),
            directories.roots(),
            compression(settings),
            serializer(settings.get(StorageSettings.SERIALIZER)),
            writeBuffer(settings));
    if (!settings.get(StorageSettings.ENCRYPTION)) {
      return options;
    }
    return options.withKey(
        FrameKey.of(
            ioKey.orElseThrow(
                () ->
                    new KilnException(
                        "IO_KEY_MISSING",
                        KilnException.Kind.INTERNAL,
                        StorageSettings.ENCRYPTION.key()
                            + " is set, but the driver has sent no key"))));
  }

  /// Makes the key of an application.
  ///
  /// @return empty if what is stored isn't encrypted
  public static Optional<byte[]> newIoKey(Settings settings) {
    if (!settings.get(StorageSettings.ENCRYPTION)) {
      return Optional.empty();
    }
    int bits = Integer.parseInt(settings.get(StorageSettings.ENCRYPTION_KEY_BITS));
    byte[] key = new byte[bits / Byte.SIZE];
    new SecureRandom().nextBytes(key);
    return Optional.of(key);
  }

  private static MemoryOptions memory(Settings settings) {
    long heap =
        settings.find(MemorySettings.TESTING_MEMORY).orElseGet(Runtime.getRuntime()::maxMemory);
    long reserved =
        settings
            .find(MemorySettings.TESTING_RESERVED_MEMORY)
            .orElse(
                settings.isSet(MemorySettings.TESTING_MEMORY)
                    ? 0
                    : MemoryOptions.DEFAULT_RESERVED_BYTES);
    return new MemoryOptions(
        heap,
        reserved,
        settings.get(MemorySettings.FRACTION),
        settings.get(MemorySettings.STORAGE_FRACTION),
        settings.get(MemorySettings.OFF_HEAP) ? settings.get(MemorySettings.OFF_HEAP_SIZE) : 0);
  }

  private static CompressionOptions compression(Settings settings) {
    return new CompressionOptions(
        codec(settings.get(StorageSettings.CODEC)),
        settings.get(ShuffleSettings.COMPRESS),
        settings.get(ShuffleSettings.SPILL_COMPRESS),
        settings.get(StorageSettings.RDD_COMPRESS));
  }

  private static CompressionCodec codec(String name) {
    return name.equals("zstd") ? CompressionCodec.ZSTD : CompressionCodec.LZ4;
  }

  private static SerializerChoice serializer(String name) {
    return switch (name) {
      case "java" -> SerializerChoice.JAVA;
      case "kryo" -> SerializerChoice.KRYO;
      default -> SerializerChoice.KILN;
    };
  }

  // Only a larger buffer than usual is asked for: the setting's own default is small for today.
  private static int writeBuffer(Settings settings) {
    if (!settings.isSet(ShuffleSettings.FILE_BUFFER)) {
      return StorageOptions.DEFAULT_DISK_WRITE_BUFFER_BYTES;
    }
    return Math.toIntExact(Math.max(SMALLEST_BUFFER, settings.get(ShuffleSettings.FILE_BUFFER)));
  }
}
