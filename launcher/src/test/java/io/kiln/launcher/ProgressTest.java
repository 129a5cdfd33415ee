package io.kiln.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.kiln.launcher.AppHandle.State;
import io.kiln.launcher.channel.ChannelMessage;
import io.kiln.launcher.channel.ChannelMessage.ApplicationFailed;
import io.kiln.launcher.channel.ChannelMessage.ApplicationRunning;
import io.kiln.launcher.channel.ChannelMessage.ApplicationStopping;
import io.kiln.launcher.channel.ChannelMessage.ApplicationSubmitted;
import io.kiln.launcher.channel.ChannelMessage.StopApplication;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {

  @Test
  void anApplicationThatEndsWell() {
    Progress connected = Progress.START.connected();
    Progress submitted = connected.after(new ApplicationSubmitted("local-1"));
    Progress running = submitted.after(new ApplicationRunning());
    Progress finished = running.ended(0);

    assertThat(List.of(connected, submitted, running, finished))
        .extracting(Progress::state)
        .containsExactly(State.CONNECTED, State.SUBMITTED, State.RUNNING, State.FINISHED);
    assertThat(finished).isEqualTo(new Progress(State.FINISHED, "local-1", "", 0, false));
  }

  @ParameterizedTest
  @CsvSource({
    "1,   the program ended with exit code 1",
    "137, 'the program ended with exit code 137, as by signal 9'"
  })
  void anotherExitCodeIsAFailure(int exitCode, String error) {
    Progress failed = Progress.START.connected().ended(exitCode);

    assertThat(failed).isEqualTo(new Progress(State.FAILED, "", error, exitCode, false));
  }

  @Test
  void whatTheProgramSaidOfItsFailureIsTheError() {
    assertThat(Progress.START.connected().after(new ApplicationFailed("no jar")).ended(1).error())
        .isEqualTo("no jar");
  }

  @Test
  void aProcessThatEndsBeforeItConnectsHasAnErrorToo() {
    assertThat(Progress.START.ended(1).error()).startsWith("spark-submit ended with exit code 1");
    assertThat(Progress.START.ended(0).state()).isEqualTo(State.FINISHED);
  }

  @Test
  void anEndThatWeWantedIsAKill() {
    assertThat(Progress.START.ending().ended(137))
        .isEqualTo(new Progress(State.KILLED, "", "", 137, true));
    assertThat(Progress.START.connected().after(new ApplicationStopping()).ended(143).state())
        .isEqualTo(State.KILLED);
  }

  @Test
  void aSecondContextChangesTheIdAndNoState() {
    Progress running =
        Progress.START
            .after(new ApplicationSubmitted("local-1"))
            .after(new ApplicationRunning())
            .after(new ApplicationSubmitted("local-2"));

    assertThat(running).isEqualTo(new Progress(State.RUNNING, "local-2", "", -1, false));
  }

  @Property
  void noStateIsLeftForAnEarlierOneAndAFinalOneStays(@ForAll("events") List<Integer> events) {
    Progress progress = Progress.START;
    for (int event : events) {
      Progress next = apply(progress, event);
      assertThat(next.state()).isGreaterThanOrEqualTo(progress.state());
      if (progress.state().isFinal()) {
        assertThat(next.state()).isEqualTo(progress.state());
      }
      progress = next;
    }
  }

  @Provide
  Arbitrary<List<Integer>> events() {
    return Arbitraries.integers().between(0, MESSAGES.size() + 4).list().ofMaxSize(12);
  }

  private static final List<ChannelMessage> MESSAGES =
      List.of(
          new ApplicationSubmitted("local-1"),
          new ApplicationRunning(),
          new ApplicationFailed("why"),
          new ApplicationStopping(),
          new StopApplication());

  private static Progress apply(Progress progress, int event) {
    return switch (event - MESSAGES.size()) {
      case 0 -> progress.connected();
      case 1 -> progress.ending();
      case 2 -> progress.ended(0);
      case 3 -> progress.ended(1);
      case 4 -> progress.lost();
      default -> progress.after(MESSAGES.get(event));
    };
  }
}
