package io.kiln.scheduler.dag;

import io.kiln.scheduler.dag.StageGraph.Stage;

/// A stage that writes a shuffle. Jobs share it.
final class MapStageState extends StageState {
  private final MapOutputs outputs;

  MapStageState(Stage stage, MapOutputs outputs) {
    super(stage);
    this.outputs = outputs;
    outputs.madeFrom(stage.inputs());
  }

  @Override
  void plan(Stage newest) {
    super.plan(newest);
    outputs.madeFrom(newest.inputs());
  }

  MapOutputs outputs() {
    return outputs;
  }

  @Override
  boolean isComplete() {
    return outputs.isComplete();
  }

  @Override
  int[] missingPartitions() {
    return outputs.missingPartitions();
  }

  @Override
  int takeAttempt() {
    return outputs.takeStageAttempt();
  }

  @Override
  boolean accepts(int stageAttempt) {
    return outputs.accepts(stageAttempt);
  }

  @Override
  void refuseEarlierAttempts() {
    outputs.refuseEarlierAttempts();
  }
}
