package io.kiln.recovery.raft;

import io.kiln.api.KilnException;
import io.kiln.api.Version;
import io.kiln.base.settings.RecoverySettings;
import io.kiln.base.settings.Settings;
import io.kiln.base.settings.StandaloneSettings;
import io.kiln.daemon.recovery.Candidate;
import io.kiln.daemon.recovery.Change;
import io.kiln.daemon.recovery.NotLeadingException;
import io.kiln.daemon.recovery.Recovery;
import io.kiln.daemon.recovery.RecoveryModes;
import io.kiln.daemon.recovery.RecoverySetup;
import io.kiln.network.security.Credentials;
import io.kiln.network.transport.Peer;
import io.kiln.network.transport.TransportOptions;
import io.kiln.process.NetworkSetup;
import io.kiln.recovery.ElectionThread;
import io.kiln.recovery.raft.RaftWords.Append;
import io.kiln.recovery.raft.RaftWords.Changes;
import io.kiln.recovery.raft.RaftWords.Claim;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Masters that are a quorum of their own: as long as more than half of them live and reach each
/// other, one leads and what it keeps is on the disks of more than half. Thread-safe.
///
/// Whom the majority follows writes a claim into the common log; its epoch begins where the claim
/// stands. Entries of another epoch that come later in the log change nothing.
public final class RaftRecovery implements Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(RaftRecovery.class);

  /// All masters of a cluster are one group; who belongs to it is known by the secret and the list.
  private static final RaftGroupId GROUP =
      RaftGroupId.valueOf(
          UUID.nameUUIDFromBytes("the masters of a kiln".getBytes(StandardCharsets.UTF_8)));

  private static final int PART_BYTES =
      256 << 10; // so that signs of life come in between; the library's own bound is 4 MB an entry
  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(5);

  private final ElectionThread elections =
      new ElectionThread(failure -> this.candidate.failed(failure));
  private final ClientId self = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final RaftStore store = new RaftStore(new Events());
  private Candidate candidate; // these five are set by start
  private RaftDirectory directory;
  private RaftServer server;
  private Duration patience;
  private RaftChannel channel;
  private volatile Optional<Long> claimed = Optional.empty();
  private volatile boolean closed;

  @Override
  public void start(RecoverySetup setup, Candidate newCandidate) {
    candidate = newCandidate;
    Settings settings = setup.settings();
    RaftPeers peers = RaftPeers.of(settings, setup.host());
    Path parent = Path.of(RecoveryModes.required(setup, StandaloneSettings.RECOVERY_DIRECTORY));
    Duration election = settings.get(RecoverySettings.RAFT_ELECTION_TIMEOUT);
    Duration patient = election.multipliedBy(4);
    patience = LEAST_PATIENCE.compareTo(patient) > 0 ? LEAST_PATIENCE : patient;
    directory = RaftDirectory.open(parent, peers);
    channel = new RaftChannel(peers, setup.host(), options(setup), RaftDirectory.REQUEST_TIMEOUT);
    channel.listen();
    try {
      server =
          RaftServer.newBuilder()
              .setServerId(RaftPeerId.valueOf(RaftPeers.id(peers.self())))
              .setGroup(group(peers))
              .setStateMachine(store)
              .setOption(directory.option(GROUP))
              .setProperties(directory.properties(election))
              .setParameters(KilnRpcType.parameters(channel))
              .build();
      server.start();
    } catch (IOException | CompletionException e) {
      throw new KilnException(
          "RECOVERY_UNUSABLE",
          KilnException.Kind.RESOURCES,
          "the masters' log in "
              + parent
              + " can't be used: "
              + (e.getCause() == null ? e : e.getCause()).getMessage(),
          e);
    }
  }

  private static TransportOptions options(RecoverySetup setup) {
    Peer peer = new Peer("master", System.currentTimeMillis(), Version.CURRENT);
    return NetworkSetup.options(setup.settings(), peer, setup.secret().map(Credentials::ofAll));
  }

  private static RaftGroup group(RaftPeers peers) {
    return RaftGroup.valueOf(
        GROUP,
        peers.all().stream()
            .map(peer -> RaftPeer.newBuilder().setId(RaftPeers.id(peer)).setAddress(peer).build())
            .toList());
  }

  // ---- elections ------------------------------------------------------------------------------

  private final class Events implements RaftStore.Listener {
    @Override
    public void leads() {
      elections.execute(RaftRecovery.this::claim);
    }

    @Override
    public void follows() {
      elections.execute(RaftRecovery.this::revoke);
    }

    @Override
    public void stopped(String why) {
      if (!closed) {
        candidate.failed(
            new KilnException(
                "RECOVERY_UNUSABLE",
                KilnException.Kind.RESOURCES,
                "this master's part in the quorum is over: " + why + "; start it again"));
      }
    }
  }

  private void claim() {
    if (closed || claimed.isPresent()) {
      return;
    }
    try {
      ByteString answer = write(new Claim(Recovery.epochAfter(0)));
      long epoch = RaftStore.claimedEpoch(answer);
      Optional<Map<String, byte[]>> entries = store.entries(epoch);
      if (entries.isPresent()) {
        claimed = Optional.of(epoch);
        candidate.elected(epoch, entries.get());
      }
    } catch (NotLeadingException e) {
      LOG.debug("Not claimed", e);
      if (isFollowed()) {
        elections.execute(this::claim); // the majority was too slow
      }
    }
  }

  private boolean isFollowed() {
    try {
      return server.getDivision(GROUP).getInfo().isLeaderReady();
    } catch (IOException e) {
      return false; // it closes
    }
  }

  private void revoke() {
    Optional<Long> before = claimed;
    claimed = Optional.empty();
    before.ifPresent(candidate::revoked);
  }

  // ---- keeping --------------------------------------------------------------------------------

  @Override
  public void persist(long epoch, List<Change> changes) throws NotLeadingException {
    Optional<Long> own = claimed;
    if (own.isEmpty() || own.get() != epoch) {
      throw new NotLeadingException("it leads no more");
    }
    byte[] batch = RaftWords.bytes(new Changes(changes));
    try {
      for (int from = 0; from < batch.length; from += PART_BYTES) {
        int end = Math.min(batch.length, from + PART_BYTES);
        byte[] bytes = Arrays.copyOfRange(batch, from, end);
        Append part = new Append(epoch, from / PART_BYTES, end == batch.length, bytes);
        if (!RaftStore.isTaken(write(part))) {
          throw new NotLeadingException("another master leads by now");
        }
      }
    } catch (NotLeadingException e) {
      elections.execute(
          () -> {
            if (claimed.equals(own)) {
              revoke();
              claim(); // if the majority follows it still
            }
          });
      throw e;
    }
  }

  /// Returns when a majority has it on disk, and this master's store has taken it.
  private ByteString write(Record word) throws NotLeadingException {
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(self)
            .setServerId(server.getId())
            .setGroupId(GROUP)
            .setCallId(calls.incrementAndGet())
            .setType(RaftClientRequest.writeRequestType())
            .setMessage(Message.valueOf(ByteString.copyFrom(RaftWords.bytes(word))))
            .setTimeoutMs(patience.toMillis())
            .build();
    try {
      RaftClientReply reply =
          server.submitClientRequestAsync(request).get(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (!reply.isSuccess()) {
        throw new NotLeadingException("the majority does not follow: " + reply.getException());
      }
      return reply.getMessage().getContent();
    } catch (TimeoutException e) {
      throw new NotLeadingException(
          "no majority of the masters has answered within " + patience.toMillis() + " ms", e);
    } catch (IOException | ExecutionException e) {
      throw new NotLeadingException("the majority does not follow: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      throw new NotLeadingException("interrupted", e);
    }
  }

  @Override
  public void close() {
    if (closed || directory == null) {
      return;
    }
    closed = true;
    claimed = Optional.empty();
    elections.close();
    try {
      if (server != null) {
        server.close();
      }
    } catch (IOException e) {
      LOG.debug("The quorum could not be left in order", e);
    }
    if (channel != null) {
      channel.close();
    }
    directory.close();
  }
}
