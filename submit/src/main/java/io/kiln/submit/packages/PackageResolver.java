package io.kiln.submit.packages;

import java.util.function.LongConsumer;

/// Finds the jars of Maven coordinates, with all that they need. Found by
/// [java.util.ServiceLoader] among the jars of `jars/resolver`.
public interface PackageResolver {

  /// @param progress told of all bytes fetched so far, by several threads
  /// @throws io.kiln.launcher.Refusal if something is malformed, missing or out of reach
  ResolvedPackages resolve(PackageRequest request, LongConsumer progress);
}
