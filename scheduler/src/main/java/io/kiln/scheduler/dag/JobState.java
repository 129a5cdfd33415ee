package io.kiln.scheduler.dag;

import io.kiln.base.machine.Address;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A job that has not ended.
///
/// What it needs of its graph follows from which outputs are there: the result stage, and the
/// parents of whatever is needed and not complete.
final class JobState {
  private final SubmitJob submitted;

  /// In the graph's order: parents before children.
  private final List<StageState> stages;

  private final List<int[]> parents;

  JobState(SubmitJob submitted, List<StageState> stages) {
    this.submitted = submitted;
    this.stages = List.copyOf(stages);
    this.parents = parents(stages);
  }

  int id() {
    return submitted.jobId();
  }

  Address client() {
    return submitted.client();
  }

  JobOptions options() {
    return submitted.options();
  }

  List<StageState> stages() {
    return stages;
  }

  ResultStageState resultStage() {
    return (ResultStageState) stages.getLast();
  }

  boolean hasTag(String tag) {
    String tags = options().properties().getOrDefault(JobOptions.TAGS, "");
    return Arrays.asList(tags.split(",")).contains(tag);
  }

  boolean needs(StageState stage) {
    boolean[] needed = needed();
    for (int i = 0; i < needed.length; i++) {
      if (stages.get(i) == stage) {
        return needed[i];
      }
    }
    return false;
  }

  /// The stages that can start now: needed, waiting, and with all their input there.
  List<StageState> ready() {
    List<StageState> ready = new ArrayList<>();
    boolean[] needed = needed();
    for (int i = 0; i < needed.length; i++) {
      if (needed[i] && !stages.get(i).isRunning() && parentsAreComplete(i)) {
        ready.add(stages.get(i));
      }
    }
    return ready;
  }

  private boolean[] needed() {
    boolean[] needed = new boolean[stages.size()];
    needed[needed.length - 1] = true;
    for (int i = needed.length - 1; i >= 0; i--) {
      if (stages.get(i).isComplete()) {
        needed[i] = false;
      } else if (needed[i]) {
        for (int parent : parents.get(i)) {
          needed[parent] = true;
        }
      }
    }
    return needed;
  }

  private boolean parentsAreComplete(int stage) {
    for (int parent : parents.get(stage)) {
      if (!stages.get(parent).isComplete()) {
        return false;
      }
    }
    return true;
  }

  private static List<int[]> parents(List<StageState> stages) {
    Map<Integer, Integer> byShuffle = new HashMap<>();
    List<int[]> parents = new ArrayList<>(stages.size());
    for (int i = 0; i < stages.size(); i++) {
      StageGraph.Stage stage = stages.get(i).stage();
      int[] indexes = new int[stage.parentShuffleIds().size()];
      for (int p = 0; p < indexes.length; p++) {
        Integer parent = byShuffle.get(stage.parentShuffleIds().get(p));
        if (parent == null) {
          throw new IllegalArgumentException(
              "stage " + stage.stageId() + " stands before the parent that writes its input");
        }
        indexes[p] = parent;
      }
      parents.add(indexes);
      if (stage.writesShuffle()) {
        byShuffle.put(stage.shuffleId(), i);
      }
    }
    return parents;
  }
}
