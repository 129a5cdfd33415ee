package io.kiln.driver.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.api.KilnException;
import io.kiln.network.transport.Content;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Transport;
import io.kiln.protocol.ContentRequest.FetchResult;
import io.kiln.protocol.ExecutorReport.TaskUpdates;
import io.kiln.protocol.TaskFailure;
import io.kiln.protocol.TaskResult;
import io.kiln.protocol.TaskUpdate;
import io.kiln.protocol.TaskUpdate.Failed;
import io.kiln.protocol.TaskUpdate.Succeeded;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LargeResultsTest {
  private static final byte[] ACCUMULATORS = {9};

  private final Transport executor = FakeExecutor.transport("executor-1", 1);
  private final Transport driver = FakeExecutor.transport("driver", 1);
  private final NodeAddress data = executor.listen("localhost", "localhost", 0);
  private final LargeResults results = new LargeResults(driver);
  private final BlockingQueue<TaskUpdates> told = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    driver.close();
    executor.close();
  }

  private static TaskUpdate small(long taskId) {
    return new Succeeded(taskId, new TaskResult.Sent(new byte[1], new byte[0]), 5);
  }

  private static TaskUpdate large(long taskId) {
    return new Succeeded(taskId, new TaskResult.Kept(taskId, 4, ACCUMULATORS), 5);
  }

  private static TaskUpdates updates(TaskUpdate... updates) {
    return new TaskUpdates("1", 7, List.of(updates));
  }

  @Test
  void aLargeResultHoldsUpNoOther() throws Exception {
    CountDownLatch mayBeFetched = new CountDownLatch(1);
    executor.serve(
        (_, request) -> {
          assertThat(request).isEqualTo(new FetchResult(2));
          mayBeFetched.await();
          return Content.OfBytes.of(new byte[] {1, 2, 3, 4});
        });

    results.complete(updates(small(1), large(2), small(3)), data, told::add);

    assertThat(told.take().updates()).extracting(TaskUpdate::taskId).containsExactly(1L, 3L);
    mayBeFetched.countDown();
    TaskUpdates later = told.take();
    assertThat(later.executorId()).isEqualTo("1");
    assertThat(later.incarnation()).isEqualTo(7);
    Succeeded fetched = (Succeeded) later.updates().getFirst();
    TaskResult.Sent result = (TaskResult.Sent) fetched.result();
    assertThat(result.value()).containsExactly(1, 2, 3, 4);
    assertThat(result.accumulators()).isEqualTo(ACCUMULATORS);
    assertThat(fetched.metrics()).isEqualTo(large(2).metrics());
  }

  @Test
  void aResultThatCannotBeFetchedFailsItsTaskAndNoOther() throws Exception {
    executor.serve(
        (_, request) -> {
          if (request.equals(new FetchResult(1))) {
            throw new KilnException("NO_CONTENT", KilnException.Kind.EXTERNAL, "it is gone");
          }
          return Content.OfBytes.of(new byte[] {1});
        });

    results.complete(updates(large(1)), data, told::add);
    TaskFailure failure = ((Failed) told.take().updates().getFirst()).failure();
    assertThat(failure.kind()).isEqualTo(TaskFailure.Kind.EXCEPTION);
    assertThat(failure.message()).contains("could not be fetched").contains("it is gone");

    results.complete(updates(large(2)), data, told::add);
    assertThat(told.take().updates().getFirst()).isInstanceOf(Succeeded.class);
  }

  /// Each failure has to give back its place among those that are fetched at once.
  @Test
  void anExecutorThatIsGoneFailsAllItsTasks() throws Exception {
    executor.close();
    for (int taskId = 0; taskId < 10; taskId++) {
      results.complete(updates(large(taskId)), data, told::add);
    }
    for (int taskId = 0; taskId < 10; taskId++) {
      assertThat(told.take().updates().getFirst()).isInstanceOf(Failed.class);
    }
  }
}
