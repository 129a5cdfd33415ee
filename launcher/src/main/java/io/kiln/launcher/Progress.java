package io.kiln.launcher;

import io.kiln.launcher.AppHandle.State;
import io.kiln.launcher.channel.ChannelMessage;
import io.kiln.launcher.channel.ChannelMessage.ApplicationFailed;
import io.kiln.launcher.channel.ChannelMessage.ApplicationRunning;
import io.kiln.launcher.channel.ChannelMessage.ApplicationStopping;
import io.kiln.launcher.channel.ChannelMessage.ApplicationSubmitted;
import io.kiln.launcher.channel.ChannelMessage.StopApplication;

/// What is known of a launched application, and what each event makes of it.
///
/// ```
///           it connected             it has a context             it can run jobs
///   UNKNOWN ────────────► CONNECTED ─────────────────► SUBMITTED ────────────────► RUNNING
///      │                      │                            │                         │
///      └──────────────────────┴──── its process ended ─────┴─────────────────────────┘
///                                         │
///                 we ended it → KILLED; else exit code 0 → FINISHED, another → FAILED
/// ```
///
/// [#lost] leads from all four to LOST. A final state stays, and no state is left for an earlier
/// one.
///
/// @param applicationId empty before it is known
/// @param error empty unless something failed
/// @param exitCode [#RUNNING] before the process has ended
/// @param endedByUs whether its process ends because we want it to
record Progress(State state, String applicationId, String error, int exitCode, boolean endedByUs) {

  static final int RUNNING = -1;

  static final Progress START = new Progress(State.UNKNOWN, "", "", RUNNING, false);

  Progress connected() {
    return reached(State.CONNECTED);
  }

  Progress after(ChannelMessage message) {
    return switch (message) {
      case ApplicationSubmitted(String id) ->
          new Progress(state, id, error, exitCode, endedByUs).reached(State.SUBMITTED);
      case ApplicationRunning() -> reached(State.RUNNING);
      case ApplicationFailed(String reason) ->
          new Progress(state, applicationId, reason, exitCode, endedByUs);
      case ApplicationStopping() -> ending();
      case StopApplication() -> this; // ours to send: it says nothing about the application
    };
  }

  /// From now on the end of the process is what we wanted.
  Progress ending() {
    return new Progress(state, applicationId, error, exitCode, true);
  }

  Progress ended(int code) {
    if (state.isFinal()) {
      return new Progress(state, applicationId, error, code, endedByUs);
    }
    State end = endedByUs ? State.KILLED : code == 0 ? State.FINISHED : State.FAILED;
    String reason = end == State.FAILED && error.isEmpty() ? reason(code) : error;
    return new Progress(end, applicationId, reason, code, endedByUs);
  }

  /// Nothing more will be heard.
  Progress lost() {
    return reached(State.LOST);
  }

  private Progress reached(State next) {
    return state.isFinal() || next.compareTo(state) < 0
        ? this
        : new Progress(next, applicationId, error, exitCode, endedByUs);
  }

  private String reason(int code) {
    String signal = code > 128 ? ", as by signal " + (code - 128) : "";
    return state == State.UNKNOWN
        ? "spark-submit ended with exit code "
            + code
            + signal
            + " before there was a program; its output says why"
        : "the program ended with exit code " + code + signal;
  }
}
