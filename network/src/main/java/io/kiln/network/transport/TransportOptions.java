package io.kiln.network.transport;

import io.kiln.network.security.Credentials;
import io.kiln.network.security.Protection;
import java.time.Duration;
import java.util.Optional;

/// How one process talks to others.
///
/// @param self as others are told
/// @param protection of one kind in all processes of an application or cluster
/// @param ioThreads that move bytes, at least 1
/// @param connectTimeout until a connection is there and both sides believe each other
/// @param silenceTimeout a peer that sends nothing for so long is given up; signs of life are sent
/// three times as often
/// @param maxMessageBytes of one message; a peer that announces more is cut off
/// @param maxWaitingBytes that may wait for one peer to read them; with more, it is given up
public record TransportOptions(
    Peer self,
    Protection protection,
    int ioThreads,
    Duration connectTimeout,
    Duration silenceTimeout,
    int maxMessageBytes,
    long maxWaitingBytes) {

  /// What suits most processes.
  ///
  /// @param secret without one, there is no protection
  public static TransportOptions of(Peer self, Optional<byte[]> secret) {
    return of(
        self,
        secret
            .<Protection>map(known -> new Protection.Encrypted(Credentials.ofAll(known)))
            .orElseGet(Protection.None::new));
  }

  /// What suits most processes.
  public static TransportOptions of(Peer self, Protection protection) {
    return new TransportOptions(
        self,
        protection,
        2,
        Duration.ofSeconds(10),
        Duration.ofSeconds(120),
        128 << 20,
        256L << 20);
  }

  public TransportOptions withSilenceTimeout(Duration timeout) {
    return new TransportOptions(
        self, protection, ioThreads, connectTimeout, timeout, maxMessageBytes, maxWaitingBytes);
  }

  public TransportOptions withConnectTimeout(Duration timeout) {
    return new TransportOptions(
        self, protection, ioThreads, timeout, silenceTimeout, maxMessageBytes, maxWaitingBytes);
  }

  public TransportOptions withLimits(int messageBytes, long waitingBytes) {
    return new TransportOptions(
        self, protection, ioThreads, connectTimeout, silenceTimeout, messageBytes, waitingBytes);
  }
}
