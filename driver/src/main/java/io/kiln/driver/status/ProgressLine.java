package io.kiln.driver.status;

import java.util.ArrayList;
import java.util.List;

/// How stages under way look in one line: `[Stage 3:=====>      (12 + 2) / 100]`, where 12 tasks
/// of 100 have succeeded and 2 are running. Several stages stand side by side.
final class ProgressLine {
  /// More would be too narrow to read.
  private static final int MAX_STAGES = 3;

  private ProgressLine() {}

  /// @param submittedBefore younger stages are left out; milliseconds since the epoch
  /// @param columns of the terminal
  /// @return at most `columns` long, except on a terminal too narrow for the numbers; empty if no
  /// stage is old enough
  static String of(List<StatusStore.ActiveStage> stages, long submittedBefore, int columns) {
    List<StatusStore.ActiveStage> shown = new ArrayList<>(MAX_STAGES);
    for (StatusStore.ActiveStage stage : stages) {
      if (stage.submissionTimeMillis() <= submittedBefore && shown.size() < MAX_STAGES) {
        shown.add(stage);
      }
    }
    StringBuilder line = new StringBuilder();
    for (StatusStore.ActiveStage stage : shown) {
      append(line, stage, columns / shown.size());
    }
    return line.toString();
  }

  private static void append(StringBuilder line, StatusStore.ActiveStage stage, int width) {
    String head = "[Stage " + stage.stageId() + ":";
    String tail =
        "(" + stage.numSucceeded() + " + " + stage.numActive() + ") / " + stage.numTasks() + "]";
    int barWidth = width - head.length() - tail.length();
    line.append(head);
    if (barWidth > 0) {
      int done = (int) ((long) barWidth * stage.numSucceeded() / Math.max(1, stage.numTasks()));
      for (int i = 0; i < barWidth; i++) {
        line.append(i < done ? '=' : i == done ? '>' : ' ');
      }
    }
    line.append(tail);
  }
}
