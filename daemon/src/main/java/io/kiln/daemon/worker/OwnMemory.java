package io.kiln.daemon.worker;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/// How much memory this machine, or the container around this process, has.
final class OwnMemory {

  private OwnMemory() {}

  /// By the JDK's `java.lang:type=OperatingSystem`, whose class is not for others to use.
  static int mebibytes() {
    try {
      long bytes =
          (Long)
              ManagementFactory.getPlatformMBeanServer()
                  .getAttribute(
                      new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME),
                      "TotalMemorySize");
      return (int) Math.min(Integer.MAX_VALUE, bytes >> 20);
    } catch (JMException e) {
      throw new IllegalStateException("this JDK doesn't say how much memory there is", e);
    }
  }
}
