package io.kiln.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SplitPlannerTest {
  private static final SplitPlanner LOCAL = new SplitPlanner(SplitPlanner.LOCAL_BLOCK_BYTES, false);

  @Test
  void sizeIsTheGoalButAtMostABlock() {
    assertThat(ranges(LOCAL.split(List.of(new InputFile("/f", 100)), 2)))
        .containsExactly("0-50", "50-100");
    long block = SplitPlanner.LOCAL_BLOCK_BYTES;
    assertThat(ranges(LOCAL.split(List.of(new InputFile("/f", 3 * block)), 2)))
        .containsExactly("0-" + block, block + "-" + 2 * block, 2 * block + "-" + 3 * block);
  }

  @Test
  void theLastSplitTakesATenthMore() {
    assertThat(ranges(new SplitPlanner(100, false).split(List.of(new InputFile("/f", 210)), 1)))
        .containsExactly("0-100", "100-210");
    assertThat(ranges(new SplitPlanner(100, false).split(List.of(new InputFile("/f", 211)), 1)))
        .containsExactly("0-100", "100-200", "200-211");
  }

  @Test
  void theGoalIsSharedByAllFiles() {
    List<FileSplit> splits =
        LOCAL.split(List.of(new InputFile("/a", 10), new InputFile("/b", 30)), 4);
    assertThat(ranges(splits)).containsExactly("0-10", "0-10", "10-20", "20-30");
    assertThat(splits).extracting(FileSplit::index).containsExactly(0, 1, 2, 3);
  }

  @Test
  void compressedFilesAreOneSplit() {
    assertThat(ranges(LOCAL.split(List.of(new InputFile("/a.gz", 1000)), 10)))
        .containsExactly("0-1000");
  }

  @Test
  void emptyFilesAreLeftOutOrKept() {
    List<InputFile> files = List.of(new InputFile("/a", 0), new InputFile("/b", 4));
    assertThat(ranges(LOCAL.split(files, 1))).containsExactly("0-4");
    assertThat(ranges(new SplitPlanner(100, true).split(files, 1))).containsExactly("0-0", "0-4");
  }

  @Property
  void splitsCoverEachFileAtMultiplesOfTheUnit(
      @ForAll @Size(max = 8) List<@IntRange(max = 5000) Integer> records,
      @ForAll @IntRange(max = 40) int minPartitions,
      @ForAll @IntRange(min = 1, max = 100) int unitBytes) {
    List<InputFile> files = new ArrayList<>();
    for (int count : records) {
      files.add(new InputFile("/" + files.size(), (long) count * unitBytes));
    }
    List<FileSplit> splits =
        new SplitPlanner(10_000, false).splitAtMultiples(files, minPartitions, unitBytes);
    for (InputFile file : files) {
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
    List<InputFile> files = new ArrayList<>();
    for (int size : sizes) {
      files.add(new InputFile("/" + files.size(), size));
    }
    List<FileGroup> groups = FileGroup.group(files, wanted);
    assertThat(groups.stream().flatMap(group -> group.files().stream()).toList()).isEqualTo(files);
    assertThat(groups).hasSizeLessThanOrEqualTo(Math.max(1, wanted));
    assertThat(groups).noneMatch(group -> group.files().isEmpty());
  }

  @Test
  void filesOfOneSizeAreSharedOutEvenly() {
    List<InputFile> files = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      files.add(new InputFile("/" + i, 1000));
    }
    assertThat(FileGroup.group(files, 4))
        .extracting(group -> group.files().size())
        .containsExactly(3, 3, 3, 3);
  }

  private static List<String> ranges(List<FileSplit> splits) {
    return splits.stream().map(split -> split.begin() + "-" + split.end()).toList();
  }
}
