package io.kiln.driver.cluster;

/// Names a stage attempt.
record StageKey(int stageId, int stageAttempt) {}
