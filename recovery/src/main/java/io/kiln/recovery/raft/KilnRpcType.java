package io.kiln.recovery.raft;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;

/// How the library comes to a [RaftChannel]: it makes one of these, by name, and asks it.
/// Immutable.
public final class KilnRpcType implements RpcType {
  private static final String CHANNEL = "kiln.channel";

  static Parameters parameters(RaftChannel channel) {
    Parameters parameters = new Parameters();
    parameters.put(CHANNEL, channel, RaftChannel.class);
    return parameters;
  }

  @Override
  public String name() {
    return KilnRpcType.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return parameters.get(CHANNEL, RaftChannel.class);
  }
}
