package io.kiln.executor.process;

import io.kiln.network.transport.Link;
import io.kiln.network.transport.LinkListener;
import io.kiln.network.transport.NodeAddress;

/// Ends this process when its link to the driver closes.
record DriverLinkWatch(NodeAddress driver, ProcessEnd end) implements LinkListener {

  @Override
  public void linkClosed(Link link, String why) {
    if (link.address().equals(driver)) {
      end.driverLost(link.toString(), why);
    }
  }
}
