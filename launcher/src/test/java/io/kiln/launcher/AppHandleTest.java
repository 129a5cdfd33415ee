package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kiln.launcher.AppHandle.State;
import io.kiln.launcher.channel.Channel;
import io.kiln.launcher.channel.ChannelListener;
import io.kiln.launcher.channel.ChannelMessage.ApplicationFailed;
import io.kiln.launcher.channel.ChannelMessage.ApplicationRunning;
import io.kiln.launcher.channel.ChannelMessage.ApplicationStopping;
import io.kiln.launcher.channel.ChannelMessage.ApplicationSubmitted;
import io.kiln.launcher.channel.ChannelMessage.StopApplication;
import java.io.EOFException;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A real process that ends with the exit code that it is told; the test speaks for it.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AppHandleTest {

  private static final Duration LONG = Duration.ofSeconds(50);

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private Process process;
  private ChannelListener listener;
  private AppHandle handle;

  /// Fails each time, after it has written down what it was told.
  private final AppHandle.Listener faulty =
      new AppHandle.Listener() {
        @Override
        public void stateChanged(AppHandle handle, State state) {
          heard.add("faulty " + state);
          throw new AssertionError("a listener's own fault");
        }
      };

  private final AppHandle.Listener diary =
      new AppHandle.Listener() {
        @Override
        public void stateChanged(AppHandle handle, State state) {
          heard.add(state.toString());
        }

        @Override
        public void infoChanged(AppHandle handle) {
          heard.add(handle.applicationId().orElse("-") + " " + handle.error().orElse("-"));
        }
      };

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder("sh", "-c", "read code; exit $code").start();
    listener = new ChannelListener(LONG);
    handle = AppHandle.watch(process, listener, List.of(faulty, diary));
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
    listener.close();
  }

  @Test
  void changesAreToldInOrderToAllWhateverOneOfThemThrows() throws Exception {
    try (Channel application = connect()) {
      application.send(new ApplicationSubmitted("local-1"));
      application.send(new ApplicationRunning());
      assertHeard("faulty CONNECTED", "CONNECTED", "local-1 -", "faulty SUBMITTED", "SUBMITTED");
      application.send(new ApplicationFailed("no more input"));
      assertHeard("faulty RUNNING", "RUNNING", "local-1 no more input");
      end(application, 3);
    }

    assertHeard("faulty FAILED", "FAILED");
    assertThat(handle.awaitEnd(LONG)).isTrue();
    assertThat(handle.state()).isEqualTo(State.FAILED);
    assertThat(handle.error()).contains("no more input");
    assertThat(handle.exitCode()).hasValue(3);
  }

  @Test
  void whoComesLateIsToldThePresentState() throws Exception {
    exit(0);
    assertThat(handle.awaitEnd(LONG)).isTrue();
    assertHeard("faulty FINISHED", "FINISHED");

    handle.addListener(diary);

    assertHeard("FINISHED");
  }

  @Test
  void anApplicationThatNeverConnectedHasItsExitCode() throws Exception {
    assertThat(handle.exitCode()).isEmpty();
    exit(1);

    assertThat(handle.awaitEnd(LONG)).isTrue();
    assertThat(handle.state()).isEqualTo(State.FAILED);
    assertThat(handle.error().orElseThrow()).startsWith("spark-submit ended with exit code 1");
    assertThat(handle.exitCode()).hasValue(1);
    assertThatThrownBy(this::connect).isInstanceOf(IOException.class); // nobody listens any more
  }

  @Test
  void stopAsksTheApplication() throws Exception {
    try (Channel application = connect()) {
      application.send(new ApplicationSubmitted("local-1"));
      assertHeard("faulty CONNECTED", "CONNECTED", "local-1 -", "faulty SUBMITTED", "SUBMITTED");
      handle.stop();

      assertThat(application.receive()).isEqualTo(new StopApplication());
      assertThat(process.isAlive()).isTrue();
      application.send(new ApplicationStopping());
      end(application, 143);
    }
    assertThat(handle.awaitEnd(LONG)).isTrue();
    assertThat(handle.state()).isEqualTo(State.KILLED);
    assertThat(handle.error()).isEmpty();
  }

  @Test
  void anApplicationThatHasNotConnectedIsAskedOnceItHas() throws Exception {
    handle.stop();

    try (Channel application = connect()) {
      assertThat(application.receive()).isEqualTo(new StopApplication());
    }
  }

  @Test
  void anApplicationThatEndedOfItselfWasNotStopped() throws Exception {
    try (Channel application = connect()) {
      handle.stop();
      assertThat(application.receive()).isEqualTo(new StopApplication());
      end(application, 0);
    }
    assertThat(handle.awaitEnd(LONG)).isTrue();
    assertThat(handle.state()).isEqualTo(State.FINISHED);
    handle.stop();
  }

  @Test
  void killEndsTheProcess() throws Exception {
    handle.kill();

    assertThat(handle.awaitEnd(LONG)).isTrue();
    assertThat(handle.state()).isEqualTo(State.KILLED);
    assertThat(handle.exitCode()).hasValue(137);
  }

  @Test
  void aDisconnectedApplicationIsLeftAlone() throws Exception {
    try (Channel application = connect()) {
      application.send(new ApplicationSubmitted("local-1"));
      assertHeard("faulty CONNECTED", "CONNECTED", "local-1 -", "faulty SUBMITTED", "SUBMITTED");

      handle.disconnect();
      assertThatThrownBy(application::receive).isInstanceOf(EOFException.class);
    }
    assertHeard("faulty LOST", "LOST");
    assertThat(handle.awaitEnd(Duration.ZERO)).isTrue();
    handle.kill();
    handle.stop();
    assertThat(process.isAlive()).isTrue();
  }

  @Test
  void anApplicationOfWhichWeLetGoEarlyFindsNobody() throws Exception {
    handle.disconnect();

    assertThatThrownBy(() -> connect().receive()).isInstanceOf(IOException.class);
    assertThat(handle.state()).isEqualTo(State.LOST);
  }

  @Test
  void aBrokenChannelDoesNotEndTheWatch() throws Exception {
    connect().close();
    assertHeard("faulty CONNECTED", "CONNECTED");
    assertThat(handle.state()).isEqualTo(State.CONNECTED);

    exit(0);
    assertHeard("faulty FINISHED", "FINISHED");
  }

  private Channel connect() throws IOException {
    return Channel.connect(listener.port(), listener.secret(), LONG);
  }

  /// As a process does: what it had open is closed.
  private void end(Channel application, int code) throws IOException {
    application.close();
    exit(code);
  }

  private void exit(int code) throws IOException {
    try (Writer commands = process.outputWriter()) {
      commands.write(code + "\n");
    }
  }

  private void assertHeard(String... expected) throws InterruptedException {
    for (String words : expected) {
      assertThat(heard.poll(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo(words);
    }
  }
}
