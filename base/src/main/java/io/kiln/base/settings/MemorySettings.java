package io.kiln.base.settings;

import java.util.List;

/// How the heap and memory outside it are divided.
public final class MemorySettings {
  public static final Setting<Double> FRACTION =
      Setting.of(
          "spark.memory.fraction",
          SettingType.fraction(0, 1),
          "0.6",
          "The part of the heap (less 300 MiB) that execution and storage share.");

  public static final Setting<Double> STORAGE_FRACTION =
      Setting.of(
          "spark.memory.storageFraction",
          SettingType.fraction(0, 1),
          "0.5",
          "The part of that from which execution does not evict blocks.");

  public static final Setting<Boolean> OFF_HEAP =
      Setting.of(
          "spark.memory.offHeap.enabled",
          SettingType.FLAG,
          "false",
          "Whether memory outside the heap is used too.");

  public static final Setting<Long> OFF_HEAP_SIZE =
      Setting.of(
          "spark.memory.offHeap.size",
          SettingType.size(ByteSize.Unit.BYTES),
          "0b",
          "How much memory outside the heap may be used.");

  public static final Setting<Long> TESTING_MEMORY =
      Setting.optional(
          "spark.testing.memory",
          SettingType.size(ByteSize.Unit.BYTES),
          "For tests: the size to assume for the heap.");

  public static final Setting<Long> TESTING_RESERVED_MEMORY =
      Setting.optional(
          "spark.testing.reservedMemory",
          SettingType.size(ByteSize.Unit.BYTES),
          "For tests: what to subtract from the heap's size in place of 300 MiB.");

  static final SettingGroup GROUP =
      new SettingGroup(
          "Memory",
          List.of(
              FRACTION,
              STORAGE_FRACTION,
              OFF_HEAP,
              OFF_HEAP_SIZE,
              TESTING_MEMORY,
              TESTING_RESERVED_MEMORY));

  private MemorySettings() {}
}
