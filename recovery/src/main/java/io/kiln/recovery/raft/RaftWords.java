package io.kiln.recovery.raft;

import io.kiln.daemon.recovery.Change;
import io.kiln.network.codec.RecordCodec;
import io.kiln.network.codec.WireWriter;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;

/// The closed registry of what masters ask each other, and of what stands in their common log.
final class RaftWords {
  static final RecordCodec CODEC =
      RecordCodec.builder(MethodHandles.lookup())
          .add(1, Question.class)
          .add(2, Answer.class)
          .add(3, Claim.class)
          .add(4, Append.class)
          .add(5, Changes.class)
          .add(6, Snapshot.class)
          .add(375, Change.Put.class)
          .add(376, Change.Remove.class)
          .build();

  private RaftWords() {}

  /// What a question is about.
  enum Topic {
    VOTE,
    ENTRIES,
    SNAPSHOT,
    ELECTION
  }

  /// @param body as the library writes it
  record Question(Topic topic, byte[] body) {}

  record Answer(byte[] body) {}

  /// In the log: a new epoch begins.
  ///
  /// @param millis the clock of whom the majority follows
  record Claim(long millis) {}

  /// In the log: a part of a batch of changes, which counts with its last part, if the epoch is
  /// still that.
  record Append(long epoch, int part, boolean last, byte[] bytes) {}

  /// A batch, whole.
  record Changes(List<Change> changes) {}

  /// All that the log has led to.
  ///
  /// @param begun of a batch whose last part has not come
  record Snapshot(long epoch, Map<String, byte[]> entries, byte[] begun) {}

  static byte[] bytes(Record word) {
    WireWriter out = new WireWriter(256);
    CODEC.write(word, out);
    return out.toByteArray();
  }

  static Object read(byte[] bytes) {
    return CODEC.read(CODEC.reader(bytes, 0, bytes.length));
  }
}
