package io.kiln.launcher.channel;

/// What passes over a [Channel].
public sealed interface ChannelMessage {

  /// From the application: it has a context now.
  ///
  /// @param applicationId the context's; unique in its cluster
  record ApplicationSubmitted(String applicationId) implements ChannelMessage {}

  /// From the application: its context can run jobs.
  record ApplicationRunning() implements ChannelMessage {}

  /// From the application: it cannot start, or its program ends by an exception.
  ///
  /// @param reason for people to read
  record ApplicationFailed(String reason) implements ChannelMessage {}

  /// From the launcher: the application should end, in order.
  record StopApplication() implements ChannelMessage {}

  /// From the application, when it was asked to stop: it ends now.
  record ApplicationStopping() implements ChannelMessage {}
}
