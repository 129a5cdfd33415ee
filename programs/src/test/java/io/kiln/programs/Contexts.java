package io.kiln.programs;

import io.kiln.api.KilnConf;
import io.kiln.api.KilnContext;

/// Contexts for tests: with nothing of this machine's settings in them.
final class Contexts {

  private Contexts() {}

  static KilnConf conf(String master) {
    return new KilnConf(false).setMaster(master).setAppName("test");
  }

  static KilnContext open(String master) {
    return KilnContext.create(conf(master));
  }
}
