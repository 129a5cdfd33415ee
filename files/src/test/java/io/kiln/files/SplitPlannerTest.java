package io.kiln.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.base.filesystem.FileStatus;
import io.kiln.base.filesystem.LocalFileSystem;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SplitPlannerTest {
  private static final SplitPlanner LOCAL = new SplitPlanner(false);

  @Test
  void sizeIsTheGoalButAtMostABlock() {
    assertThat(ranges(LOCAL.split(List.of(Local.file("/f", 100)), 2)))
        .containsExactly("0-50", "50-100");
    long block = LocalFileSystem.BLOCK_BYTES;
    assertThat(ranges(LOCAL.split(List.of(Local.file("/f", 3 * block)), 2)))
        .containsExactly("0-" + block, block + "-" + 2 * block, 2 * block + "-" + 3 * block);
  }

  @Test
  void theLastSplitTakesATenthMore() {
    assertThat(ranges(LOCAL.split(List.of(Local.file("/f", 210, 100)), 1)))
        .containsExactly("0-100", "100-210");
    assertThat(ranges(LOCAL.split(List.of(Local.file("/f", 211, 100)), 1)))
        .containsExactly("0-100", "100-200", "200-211");
  }

  @Test
  void theGoalIsSharedByAllFiles() {
    List<FileSplit> splits = LOCAL.split(List.of(Local.file("/a", 10), Local.file("/b", 30)), 4);
    assertThat(ranges(splits)).containsExactly("0-10", "0-10", "10-20", "20-30");
    assertThat(splits).extracting(FileSplit::index).containsExactly(0, 1, 2, 3);
  }

  @Test
  void compressedFilesAreOneSplit() {
    assertThat(ranges(LOCAL.split(List.of(Local.file("/a.gz", 1000)), 10)))
        .containsExactly("0-1000");
  }

  @Test
  void emptyFilesAreLeftOutOrKept() {
    List<FileStatus> files = List.of(Local.file("/a", 0), Local.file("/b", 4));
    assertThat(ranges(LOCAL.split(files, 1))).containsExactly("0-4");
    assertThat(ranges(new SplitPlanner(true).split(files, 1))).containsExactly("0-0", "0-4");
  }

  @Property
  void splitsCoverEachFileAtMultiplesOfTheUnit(
      @ForAll @Size(max = 8) List<@IntRange(max = 5000) Integer> records,
      @ForAll @IntRange(max = 40) int minPartitions,
      @ForAll @IntRange(min = 1, max = 100) int unitBytes) {
    List<FileStatus> files = new ArrayList<>();
    for (int count : records) {
      files.add(Local.file("/" + files.size(), (long) count * unitBytes, 10_000));
    }
    List<FileSplit> splits = LOCAL.splitAtMultiples(files, minPartitions, unitBytes);
    for (FileStatus file : files) {
      long expected = 0;
      for (FileSplit split : splits) {
        if (split.path().equals(file.path())) {
          assertThat(split.begin()).isEqualTo(expected);
          assertThat(split.end() % unitBytes).isZero();
          assertThat(split.end()).isGreaterThan(split.begin());
          expected = split.end();
        }
      }
      assertThat(expected).isEqualTo(file.sizeBytes());
    }
  }

  @Property
  void groupsHoldEachFileOnceAndNoMoreThanWanted(
      @ForAll @Size(min = 1, max = 60) List<@IntRange(max = 100_000) Integer> sizes,
      @ForAll @IntRange(max = 20) int wanted) {
    List<FileStatus> files = new ArrayList<>();
    for (int size : sizes) {
      files.add(Local.file("/" + files.size(), size));
    }
    List<FileGroup> groups = FileGroup.group(files, wanted);
    List<InputFile> expected =
        files.stream().map(file -> new InputFile(file.path(), file.sizeBytes())).toList();
    assertThat(groups.stream().flatMap(group -> group.files().stream()).toList())
        .isEqualTo(expected);
    assertThat(groups).hasSizeLessThanOrEqualTo(Math.max(1, wanted));
    assertThat(groups).noneMatch(group -> group.files().isEmpty());
  }

  @Test
  void filesOfOneSizeAreSharedOutEvenly() {
    List<FileStatus> files = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      files.add(Local.file("/" + i, 1000));
    }
    assertThat(FileGroup.group(files, 4))
        .extracting(group -> group.files().size())
        .containsExactly(3, 3, 3, 3);
  }

  private static List<String> ranges(List<FileSplit> splits) {
    return splits.stream().map(split -> split.begin() + "-" + split.end()).toList();
  }
}
