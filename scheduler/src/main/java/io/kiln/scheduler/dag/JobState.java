package io.kiln.scheduler.dag;

import io.kiln.base.machine.Address;
import io.kiln.scheduler.dag.DagMessage.SubmitJob;
import io.kiln.scheduler.dag.JobWait.StageAttempt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// A job that has not ended.
///
/// What it needs of its graph follows from which outputs are there: the result stage, and the
/// parents of whatever is needed and not complete.
final class JobState {
  private final SubmitJob submitted;
  private final ResultStageState resultStage;

  /// Parents before children, the result stage last.
  private List<StageState> stages = List.of();

  private List<int[]> parents = List.of();
  private boolean awaitsPlan;

  JobState(SubmitJob submitted, ResultStageState resultStage) {
    this.submitted = submitted;
    this.resultStage = resultStage;
  }

  /// @param newest all that the result stage may need, parents before children
  void assignStages(List<StageState> newest) {
    stages = List.copyOf(newest);
    parents = parents(stages);
  }

  /// The client was asked for another plan, and has not answered.
  boolean awaitsPlan() {
    return awaitsPlan;
  }

  void awaitPlan(boolean awaited) {
    awaitsPlan = awaited;
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
    return resultStage;
  }

  boolean hasTag(String tag) {
    return options().hasTag(tag);
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

  /// The stages that can start now: needed, waiting, with all their input there and a plan that
  /// holds.
  List<StageState> ready() {
    List<StageState> ready = new ArrayList<>();
    boolean[] needed = needed();
    for (int i = 0; i < needed.length; i++) {
      StageState stage = stages.get(i);
      if (needed[i]
          && !stage.isRunning()
          && parentsAreComplete(i)
          && stage.missedInputs().isEmpty()) {
        ready.add(stage);
      }
    }
    return ready;
  }

  /// Of what it needs.
  List<StageAttempt> running() {
    List<StageAttempt> running = new ArrayList<>();
    boolean[] needed = needed();
    for (int i = 0; i < needed.length; i++) {
      if (needed[i] && stages.get(i).isRunning()) {
        running.add(new StageAttempt(stages.get(i).id(), stages.get(i).latestAttempt()));
      }
    }
    return running;
  }

  /// The shuffles that it can't do without although its plan spares them.
  Set<Integer> missedInputs() {
    if (stages.stream().allMatch(stage -> stage.missedInputs().isEmpty())) {
      return Set.of();
    }
    Set<Integer> missed = new TreeSet<>();
    boolean[] needed = needed();
    for (int i = 0; i < needed.length; i++) {
      if (needed[i]) {
        missed.addAll(stages.get(i).missedInputs());
      }
    }
    return missed;
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
      List<Integer> needed = stage.inputs().needed();
      int[] indexes = new int[needed.size()];
      for (int p = 0; p < indexes.length; p++) {
        indexes[p] = byShuffle.get(needed.get(p));
      }
      parents.add(indexes);
      if (stage.writesShuffle()) {
        byShuffle.put(stage.shuffleId(), i);
      }
    }
    return parents;
  }
}
