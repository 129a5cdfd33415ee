package io.kiln.protocol;

/// One attempt of a stage.
///
/// @param stageAttempt from 0
public record StageKey(int stageId, int stageAttempt) {

  // what a record has by itself is made at run time, which a start would wait for

  @Override
  public boolean equals(Object other) {
    return other instanceof StageKey that
        && stageId == that.stageId
        && stageAttempt == that.stageAttempt;
  }

  @Override
  public int hashCode() {
    return 31 * stageId + stageAttempt;
  }
}
