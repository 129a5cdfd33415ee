package io.kiln.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RunningTasksTest {
  /// A negative step removes a running task, the others start one, some ids apart.
  @Property
  void findsWhatIsThereAndNothingElse(
      @ForAll @Size(max = 400) List<@IntRange(min = -80, max = 70) Integer> steps) {
    RunningTasks tasks = new RunningTasks();
    Map<Long, Integer> expected = new HashMap<>();
    long nextId = 0;
    for (int step : steps) {
      if (step >= 0) {
        nextId += 1 + step;
        tasks.add(nextId, null, step, 0, null);
        expected.put(nextId, step);
      } else if (!expected.isEmpty()) {
        long id =
            expected.keySet().stream().skip(-step % expected.size()).findFirst().orElseThrow();
        tasks.removeAt(tasks.find(id));
        expected.remove(id);
      }
    }

    assertThat(tasks.size()).isEqualTo(expected.size());
    for (long id = 0; id <= nextId; id++) {
      int position = tasks.find(id);
      assertThat(position != RunningTasks.ABSENT).isEqualTo(expected.containsKey(id));
      if (position != RunningTasks.ABSENT) {
        assertThat(tasks.index(position)).isEqualTo(expected.get(id));
      }
    }
  }
}
