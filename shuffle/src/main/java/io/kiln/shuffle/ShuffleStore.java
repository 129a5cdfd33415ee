package io.kiln.shuffle;

import io.kiln.process.disk.LocalDirectories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The map outputs of this process. Thread-safe.
///
/// Of the attempts of a map task the latest counts that has committed: it was started because an
/// earlier one had failed or its output was of no use any more, which may be since it was computed
/// from other input. What an earlier one has written stays as long as the shuffle, for those who
/// read it. Once a reader could not read an output, it is forgotten.
public final class ShuffleStore {
  private static final Logger logger = LoggerFactory.getLogger(ShuffleStore.class);
  private static final String GROUP = "shuffle-";

  private final LocalDirectories directories;
  private final Map<Integer, Map<Integer, CommittedOutput>> shuffles = new ConcurrentHashMap<>();
  private final Map<Integer, Set<Integer>> lost = new ConcurrentHashMap<>();
  private final Map<Integer, OutputFiles> files = new ConcurrentHashMap<>();

  public ShuffleStore(LocalDirectories directories) {
    this.directories = directories;
  }

  /// Takes over what another process has written, which may have been killed. What can't be read is
  /// as if it had never been there.
  ///
  /// @param roots the directories of that process, as [LocalDirectories#roots] says
  public void adopt(List<Path> roots) {
    for (Path root : roots) {
      try (Stream<Path> files = Files.find(root, 2, (path, _) -> isOutputFile(root, path))) {
        files.forEach(this::adoptFile);
      } catch (IOException | UncheckedIOException e) {
        logger.warn("The map outputs in {} can't be read: {}", root, e.toString());
      }
    }
  }

  private static boolean isOutputFile(Path root, Path path) {
    Path name = root.relativize(path);
    return name.getNameCount() == 2
        && name.getName(0).toString().startsWith(GROUP)
        && OutputFiles.isName(name.getName(1).toString());
  }

  private void adoptFile(Path file) {
    try {
      OutputTrailer.read(file).forEach(this::commit);
    } catch (IOException e) {
      logger.warn("The map outputs in {} can't be read: {}", file, e.toString());
    }
  }

  private static String group(int shuffleId) {
    return GROUP + shuffleId;
  }

  /// Where new outputs of a shuffle go.
  OutputFiles files(int shuffleId) {
    return files.computeIfAbsent(shuffleId, id -> new OutputFiles(directories, group(id)));
  }

  public boolean holds(int shuffleId, int mapPartition) {
    return find(shuffleId, mapPartition).isPresent();
  }

  /// The output that counts.
  public Optional<CommittedOutput> find(int shuffleId, int mapPartition) {
    return Optional.ofNullable(shuffles.get(shuffleId)).map(outputs -> outputs.get(mapPartition));
  }

  /// The outputs that count.
  public List<CommittedOutput> outputs(int shuffleId) {
    return List.copyOf(shuffles.getOrDefault(shuffleId, Map.of()).values());
  }

  /// The shuffles of which there may be outputs.
  public Set<Integer> shuffleIds() {
    return Set.copyOf(shuffles.keySet());
  }

  /// What the files of all outputs that count take.
  public long bytes() {
    return shuffleIds().stream()
        .flatMap(id -> outputs(id).stream())
        .mapToLong(output -> output.output().bytes())
        .sum();
  }

  /// Whether it was forgotten, and no other attempt has committed one since: those who ask next are
  /// to hear that the disk is to blame.
  public boolean hasLost(int shuffleId, int mapPartition) {
    return find(shuffleId, mapPartition).isEmpty()
        && lost.getOrDefault(shuffleId, Set.of()).contains(mapPartition);
  }

  /// @return the output that counts
  CommittedOutput commit(CommittedOutput output) {
    MapOutput named = output.output();
    return shuffles
        .computeIfAbsent(named.shuffleId(), _ -> new ConcurrentHashMap<>())
        .merge(
            named.mapPartition(),
            output,
            (known, added) -> known.taskAttemptId() > added.taskAttemptId() ? known : added);
  }

  /// The output could not be read. The others in its file will be judged when they are read.
  public void forget(CommittedOutput unreadable) {
    MapOutput named = unreadable.output();
    lost.computeIfAbsent(named.shuffleId(), _ -> ConcurrentHashMap.newKeySet())
        .add(named.mapPartition());
    shuffles.getOrDefault(named.shuffleId(), Map.of()).remove(named.mapPartition(), unreadable);
  }

  public void remove(int shuffleId) {
    shuffles.remove(shuffleId);
    lost.remove(shuffleId);
    files.remove(shuffleId);
    directories.removeGroup(group(shuffleId));
  }
}
