package io.kiln.files;

import io.kiln.api.KilnException;
import io.kiln.api.Records;
import io.kiln.api.TaskContext;
import io.kiln.api.spi.PartitionFunction;
import io.kiln.base.filesystem.FileSystems;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Writes the records of a partition as lines of UTF-8, in a task.
///
/// @param compression `null` for none: an optional doesn't travel
record TextWriter<T>(FileSystems files, String jobDirectory, Compression compression)
    implements PartitionFunction<T, PartFile.Committed> {
  @Override
  public PartFile.Committed apply(TaskContext task, Records<T> records) throws Exception {
    String extension = Optional.ofNullable(compression).map(Compression::extension).orElse("");
    try (PartFile part = PartFile.create(files, jobDirectory, extension, task)) {
      try (OutputStream out =
          compression == null ? part.content() : compression.compress(part.content())) {
        writeLines(records, out, task);
      }
      return part.commit();
    }
  }

  private void writeLines(Records<T> records, OutputStream out, TaskContext task) throws Exception {
    records.forEach(
        value -> {
          task.throwIfInterrupted();
          writeLine(value, out, task);
          return true;
        });
  }

  private void writeLine(T value, OutputStream out, TaskContext task) throws IOException {
    if (value == null) {
      throw new KilnException(
          "NULL_RECORD",
          KilnException.Kind.APPLICATION,
          "can't save partition "
              + task.partitionId()
              + " as text: a record is null; filter null records before saveAsTextFile");
    }
    out.write(String.valueOf(value).getBytes(StandardCharsets.UTF_8));
    out.write('\n');
  }
}
