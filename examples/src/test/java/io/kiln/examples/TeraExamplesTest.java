package io.kiln.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnContext;
import io.kiln.api.RDD;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The sort benchmark's three programs.
class TeraExamplesTest {

  @Test
  void recordsAreThoseOfTheBenchmark() {
    List<byte[]> records = new ArrayList<>();
    TeraRecords.generate(0, 100).forEachRemaining(records::add);
    assertThat(HexFormat.of().formatHex(records.getFirst()))
        .isEqualTo(
            "4a696d47726179524950" // the generator's first state is its increment
                + "0011"
                + "3030303030303030303030303030303030303030303030303030303030303030"
                + "8899aabb"
                + "3232323230303030".repeat(5)
                + "3030303031313131"
                + "ccddeeff");
    List<byte[]> later = new ArrayList<>();
    TeraRecords.generate(37, 100).forEachRemaining(later::add);
    assertThat(later.toArray(byte[][]::new))
        .isDeepEqualTo(records.subList(37, 100).toArray(byte[][]::new));
  }

  @Test
  void generatedSortedAndValidated(@TempDir Path directory) throws Exception {
    String generated = directory.resolve("generated").toString();
    String sorted = directory.resolve("sorted").toString();
    ExampleRun.output(TeraGen::main, "20001", generated, "7");
    ExampleRun.output(TeraSort::main, generated, sorted);
    TeraValidate.Report before = validate(generated);
    TeraValidate.Report after = validate(sorted);
    assertThat(before.records()).isEqualTo(20_001);
    assertThat(before.outOfOrder()).isGreaterThan(5_000);
    assertThat(after).isEqualTo(new TeraValidate.Report(20_001, 0, before.checksum()));
    assertThat(ExampleRun.output(TeraValidate::main, sorted)).endsWith("sorted\n");
  }

  @Test
  void aRecordOutOfOrderIsFoundAlsoBetweenParts(@TempDir Path directory) throws Exception {
    List<byte[]> records = new ArrayList<>();
    TeraRecords.generate(0, 50).forEachRemaining(records::add);
    records.sort(TeraRecords::compareKeys);
    Files.write(directory.resolve("part-00000"), join(records.subList(25, 50)));
    Files.write(directory.resolve("part-00001"), join(records.subList(0, 25)));
    assertThat(validate(directory.toString()).outOfOrder()).isEqualTo(1);
  }

  @Test
  void whatShipsIsWhatTheProgramsMake() throws Exception {
    TeraValidate.Report shipped = validate(ExampleData.path("tera"));
    TeraValidate.Report sorted = validate(ExampleData.path("tera-sorted"));
    try (KilnContext context = ExampleRun.context("tera")) {
      RDD<byte[]> made = TeraGen.generate(context, 1000, 4);
      assertThat(shipped).isEqualTo(TeraValidate.validate(made));
    }
    assertThat(shipped.outOfOrder()).isPositive();
    assertThat(sorted).isEqualTo(new TeraValidate.Report(1000, 0, shipped.checksum()));
    assertThat(ExampleRun.output(TeraSort::main)).contains(sorted.toString());
  }

  private static TeraValidate.Report validate(String path) {
    try (KilnContext context = ExampleRun.context("validate")) {
      return TeraValidate.validate(context.binaryRecords(path, TeraRecords.RECORD_BYTES));
    }
  }

  private static byte[] join(List<byte[]> records) {
    byte[] joined = new byte[records.size() * TeraRecords.RECORD_BYTES];
    for (int i = 0; i < records.size(); i++) {
      System.arraycopy(
          records.get(i), 0, joined, i * TeraRecords.RECORD_BYTES, TeraRecords.RECORD_BYTES);
    }
    return joined;
  }
}
