package io.kiln.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kiln.base.classpath.ApplicationClasses;
import io.kiln.protocol.TaskFailure;
import io.kiln.storage.serializer.ObjectSerializer;
import io.kiln.storage.serializer.SerializerChoice;
import org.junit.jupiter.api.Test;

class TaskFailuresTest {

  /// Another attempt would make the same record.
  @Test
  void whatIsTooLargeIsNotTriedAgain() {
    ObjectSerializer serializer =
        new ObjectSerializer(SerializerChoice.KILN, ApplicationClasses.ofThread());
    Throwable tooLarge = catchThrowable(() -> serializer.toBytes("x".repeat(100), 10));

    TaskFailure failure = TaskFailures.thrown(tooLarge);

    assertThat(failure.kind()).isEqualTo(TaskFailure.Kind.FATAL);
    assertThat(failure.message()).contains("more than 10 bytes").doesNotContain("heap");
  }

  @Test
  void whoRunsOutOfMemoryMayHaveMoreLuckElsewhere() {
    TaskFailure failure = TaskFailures.thrown(new OutOfMemoryError("Java heap space"));

    assertThat(failure.kind()).isEqualTo(TaskFailure.Kind.RESOURCE_EXHAUSTED);
    assertThat(failure.message()).contains("a larger heap");
  }
}
