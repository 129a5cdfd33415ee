package io.kiln.network.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.api.KilnException;
import io.kiln.base.machine.Message;
import io.kiln.network.transport.Ground.Answer;
import io.kiln.network.transport.Ground.Blob;
import io.kiln.network.transport.Ground.Numbered;
import io.kiln.network.transport.Ground.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class LinkTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();

  private static KilnException failure(CompletableFuture<?> answer) {
    try {
      throw new AssertionError("there is an answer: " + answer.join());
    } catch (CompletionException e) {
      return (KilnException) e.getCause();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void messagesArriveInTheOrderOfEachSender(boolean secured) throws Exception {
    try (Ground ground = new Ground(secured)) {
      ground.server.addReceiver("tasks", (_, message) -> received.add(message));
      Link link = ground.client.link(ground.address);
      int count = 20_000;
      List<Thread> senders = new ArrayList<>();
      for (String name : List.of("a", "b", "c")) {
        senders.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int i = 0; i < count; i++) {
                        link.send("tasks", new Numbered(i, name));
                      }
                    }));
      }
      List<Message> all = Ground.next(received, 3 * count);
      for (String name : List.of("a", "b", "c")) {
        assertThat(all.stream().map(Numbered.class::cast).filter(m -> m.text().equals(name)))
            .extracting(Numbered::number)
            .containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
      }
      for (Thread sender : senders) {
        sender.join();
      }
      assertThat(Ground.next(ground.serverHeard.opened).peer())
          .contains(new Peer("executor-1", 3, "0.1"));
      assertThat(link.peer()).contains(new Peer("driver", 3, "0.1"));
    }
  }

  @Test
  void aProcessThatDoesNotListenIsReachedByItsOwnLink() throws Exception {
    try (Ground ground = new Ground(true)) {
      ground.client.addReceiver("executor", (_, message) -> received.add(message));
      ground.server.addReceiver(
          "tasks", (from, message) -> from.send("executor", List.of(message, message)));
      ground.client.link(ground.address).send("tasks", new Numbered(1, "there and back"));
      assertThat(Ground.next(received, 2)).containsOnly(new Numbered(1, "there and back"));
    }
  }

  @Test
  void questionsAreAnswered() {
    try (Ground ground = new Ground(true)) {
      ground.server.addResponder(
          "upper",
          (_, question) -> new Answer(((Question) question).text().toUpperCase(Locale.ROOT)));
      ground.server.addResponder(
          "refuse",
          (_, _) -> {
            throw new KilnException("NOT_NOW", KilnException.Kind.USER, "come back later");
          });
      Link link = ground.client.link(ground.address);
      List<CompletableFuture<Record>> answers = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        answers.add(link.ask("upper", new Question("q" + i), LONG));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).join()).isEqualTo(new Answer("Q" + i));
      }
      KilnException refusal = failure(link.ask("refuse", new Question(""), LONG));
      assertThat(refusal.code()).isEqualTo("NOT_NOW");
      assertThat(refusal.kind()).isEqualTo(KilnException.Kind.USER);
      assertThat(refusal.getMessage()).isEqualTo("come back later");
      assertThat(failure(link.ask("nobody", new Question(""), LONG)).code())
          .isEqualTo("NO_SUCH_ENDPOINT");
    }
  }

  @Test
  void aQuestionThatIsNotAnsweredEndsAtItsDeadline() {
    CountDownLatch end = new CountDownLatch(1);
    try (Ground ground = new Ground(false)) {
      ground.server.addResponder(
          "slow",
          (_, _) -> {
            end.await();
            return new Answer("late");
          });
      KilnException late =
          failure(
              ground
                  .client
                  .link(ground.address)
                  .ask("slow", new Question(""), Duration.ofMillis(50)));
      assertThat(late.code()).isEqualTo("ANSWER_TIMED_OUT");
      assertThat(late.getMessage()).contains("slow", "50 ms");
    } finally {
      end.countDown();
    }
  }

  @Test
  void aPeerThatGoesIsSaidAndQuestionsFail() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (Ground ground = new Ground(true)) {
      ground.server.addResponder(
          "slow",
          (_, _) -> {
            asked.countDown();
            end.await();
            return new Answer("too late");
          });
      CompletableFuture<Record> answer =
          ground.client.link(ground.address).ask("slow", new Question(""), LONG);
      asked.await();
      ground.server.close();
      assertThat(failure(answer).code()).isEqualTo("PEER_LOST");
      assertThat(Ground.next(ground.clientHeard.closed)).contains("closed");
      CompletableFuture<Record> next =
          ground.client.link(ground.address).ask("slow", new Question(""), LONG);
      assertThat(failure(next).getMessage()).contains("can't be reached");
    } finally {
      end.countDown();
    }
  }

  @Test
  void afterALinkIsGoneTheNextOneIsNew() throws Exception {
    try (Ground ground = new Ground(true)) {
      ground.server.addReceiver("tasks", (_, message) -> received.add(message));
      Link first = ground.client.link(ground.address);
      first.send("tasks", new Numbered(1, ""));
      assertThat(Ground.next(received)).isEqualTo(new Numbered(1, ""));
      first.close();
      first.send("tasks", new Numbered(2, "is lost"));
      Link second = ground.client.link(ground.address);
      assertThat(second).isNotSameAs(first);
      second.send("tasks", new Numbered(3, ""));
      assertThat(Ground.next(received)).isEqualTo(new Numbered(3, ""));
      assertThat(ground.client.link(ground.address)).isSameAs(second);
    }
  }

  @Test
  void aPeerThatDoesNotReadIsGivenUp() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    TransportOptions impatient =
        Ground.options("executor-1", Ground.SECRET).withLimits(1 << 20, 8 << 20);
    try (Ground ground =
        new Ground(Ground.options("driver", Ground.SECRET), impatient, Ground.CODEC)) {
      ground.server.addReceiver(
          "tasks",
          (_, _) -> {
            try {
              end.await(); // against the rules: the thread that reads is held
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      Link link = ground.client.link(ground.address);
      long sent = 0;
      while (!link.isClosed() && sent < (1 << 30)) {
        link.send("tasks", new Blob(new byte[100_000]));
        sent += 100_000;
      }
      assertThat(Ground.next(ground.clientHeard.closed)).contains("does not read");
    } finally {
      end.countDown();
    }
  }

  @Test
  void aMessageThatIsTooLargeIsTheSendersFault() throws Exception {
    TransportOptions small = Ground.options("executor-1", Ground.SECRET).withLimits(1000, 1 << 20);
    try (Ground ground = new Ground(Ground.options("driver", Ground.SECRET), small, Ground.CODEC)) {
      ground.server.addReceiver("tasks", (_, message) -> received.add(message));
      Link link = ground.client.link(ground.address);
      link.send("tasks", new Numbered(1, "before"));
      assertThatThrownBy(() -> link.send("tasks", new Blob(new byte[1000])))
          .isInstanceOfSatisfying(
              KilnException.class, e -> assertThat(e.code()).isEqualTo("MESSAGE_TOO_LARGE"))
          .hasMessageContaining("spark.rpc.message.maxSize");
      link.send("tasks", new Numbered(2, "after"));
      assertThat(Ground.next(received, 2))
          .containsExactly(new Numbered(1, "before"), new Numbered(2, "after"));
    }
  }

  @Test
  void silenceIsTheEndOfALinkAndSignsOfLifeKeepIt() throws Exception {
    Duration brief = Duration.ofMillis(1500); // more than a busy machine makes a thread wait
    TransportOptions server = Ground.options("driver", Ground.SECRET).withSilenceTimeout(brief);
    TransportOptions client = Ground.options("executor-1", Ground.SECRET).withSilenceTimeout(brief);
    TransportOptions mute =
        Ground.options("executor-2", Ground.SECRET).withSilenceTimeout(Duration.ofHours(1));
    Ground.Heard muteHeard = new Ground.Heard();
    try (Ground ground = new Ground(server, client, Ground.CODEC);
        Transport silent = new Transport(mute, Ground.CODEC, muteHeard)) {
      Link alive = ground.client.link(ground.address);
      for (int time = 0; time < 3; time++) { // so that it would have been given up long ago
        Link _ = silent.link(ground.address);
        assertThat(Ground.next(ground.serverHeard.closed)).contains("silent for");
        assertThat(Ground.next(muteHeard.closed)).isNotEmpty(); // the next link is a new one
      }
      assertThat(ground.serverHeard.closed).isEmpty();
      assertThat(alive.isClosed()).isFalse();
    }
  }

  /// More of them than may be without an answer: after those, nothing more would be read.
  @Test
  void anErrorWhileAQuestionIsAnsweredIsARefusal() {
    try (Ground ground = new Ground(false)) {
      ground.server.addResponder(
          "broken",
          (_, _) -> {
            throw new AssertionError("on purpose");
          });
      ground.server.addResponder("whole", (_, _) -> new Answer("yes"));
      Link link = ground.client.link(ground.address);
      List<CompletableFuture<Record>> refused = new ArrayList<>();
      for (int i = 0; i < 3_000; i++) {
        refused.add(link.ask("broken", new Question("q" + i), LONG));
      }
      for (CompletableFuture<Record> each : refused) {
        assertThat(failure(each).getMessage()).contains("on purpose");
      }
      assertThat(link.ask("whole", new Question(""), LONG).join()).isEqualTo(new Answer("yes"));
    }
  }
}
