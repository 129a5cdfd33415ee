package io.kiln.recovery.raft;

import io.kiln.api.KilnException;
import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;
import io.kiln.network.transport.Transport;
import io.kiln.network.transport.TransportOptions;
import io.kiln.recovery.raft.RaftWords.Answer;
import io.kiln.recovery.raft.RaftWords.Question;
import io.kiln.recovery.raft.RaftWords.Topic;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ExecutionException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;
import org.apache.ratis.thirdparty.com.google.protobuf.AbstractMessage;

/// Carries the library's questions between masters over Kiln's own transport, so that only who has
/// proved the cluster's secret is heard, and all is encrypted. Thread-safe.
final class RaftChannel implements ServerFactory {
  private static final String ENDPOINT = "raft";

  private final RaftPeers peers;
  private final String bindHost;
  private final Transport transport;
  private final Duration deadline;

  /// @param deadline for an answer
  RaftChannel(RaftPeers peers, String bindHost, TransportOptions options, Duration deadline) {
    this.peers = peers;
    this.bindHost = bindHost;
    this.transport = new Transport(options, RaftWords.CODEC, LinkListener.NONE);
    this.deadline = deadline;
  }

  /// Binds the port; nothing is answered before the library has started.
  ///
  /// @throws KilnException `PORT_UNAVAILABLE`, `ADDRESS_UNAVAILABLE`
  void listen() {
    NodeAddress own = NodeAddress.parse(peers.self());
    transport.listen(bindHost, own.host(), own.port());
  }

  /// Idempotent.
  void close() {
    transport.close();
  }

  @Override
  public RpcType getRpcType() {
    return new KilnRpcType();
  }

  @Override
  public RaftServerRpc newRaftServerRpc(RaftServer server) {
    return new Rpc(server);
  }

  private final class Rpc implements RaftServerRpc {
    private final RaftServer server;

    Rpc(RaftServer server) {
      this.server = server;
    }

    @Override
    public RpcType getRpcType() {
      return RaftChannel.this.getRpcType();
    }

    @Override
    public void start() {
      transport.addResponder(ENDPOINT, (_, question) -> answer((Question) question));
    }

    private Answer answer(Question question) throws IOException {
      byte[] body = question.body();
      AbstractMessage answer =
          switch (question.topic()) {
            case VOTE -> server.requestVote(RequestVoteRequestProto.parseFrom(body));
            case ENTRIES -> server.appendEntries(AppendEntriesRequestProto.parseFrom(body));
            case SNAPSHOT -> server.installSnapshot(InstallSnapshotRequestProto.parseFrom(body));
            case ELECTION ->
                server.startLeaderElection(StartLeaderElectionRequestProto.parseFrom(body));
          };
      return new Answer(answer.toByteArray());
    }

    @Override
    public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
      return RequestVoteReplyProto.parseFrom(ask(Topic.VOTE, request, request.getServerRequest()));
    }

    @Override
    public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request)
        throws IOException {
      return AppendEntriesReplyProto.parseFrom(
          ask(Topic.ENTRIES, request, request.getServerRequest()));
    }

    @Override
    public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request)
        throws IOException {
      return InstallSnapshotReplyProto.parseFrom(
          ask(Topic.SNAPSHOT, request, request.getServerRequest()));
    }

    @Override
    public StartLeaderElectionReplyProto startLeaderElection(
        StartLeaderElectionRequestProto request) throws IOException {
      return StartLeaderElectionReplyProto.parseFrom(
          ask(Topic.ELECTION, request, request.getServerRequest()));
    }

    private byte[] ask(Topic topic, AbstractMessage request, RaftRpcRequestProto header)
        throws IOException {
      Link link = transport.link(peers.address(RaftPeerId.valueOf(header.getReplyId()).toString()));
      try {
        Question question = new Question(topic, request.toByteArray());
        return ((Answer) link.ask(ENDPOINT, question, deadline).get()).body();
      } catch (ExecutionException e) {
        throw new IOException(e.getCause().getMessage(), e.getCause());
      } catch (KilnException e) {
        throw new IOException(e.getMessage(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }

    @Override
    public InetSocketAddress getInetSocketAddress() {
      NodeAddress own = NodeAddress.parse(peers.self());
      return new InetSocketAddress(own.host(), own.port());
    }

    @Override
    public void addRaftPeers(Collection<RaftPeer> added) {
      // links are made when something is asked
    }

    @Override
    public void handleException(RaftPeerId id, Exception e, boolean reconnect) {
      // a link that is closed is replaced by the next question
    }

    @Override
    public void close() {
      RaftChannel.this.close();
    }
  }
}
