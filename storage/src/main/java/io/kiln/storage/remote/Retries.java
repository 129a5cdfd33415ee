package io.kiln.storage.remote;

import java.io.IOException;

/// Tries again what another process broke off.
///
/// @param options how often, and how long to wait before
record Retries(FetchOptions options) {

  static Retries of(FetchOptions options) {
    return new Retries(options);
  }

  /// What may break off.
  interface Attempt<T> {
    T run() throws IOException, InterruptedException;
  }

  /// @throws IOException the last one
  <T> T run(Attempt<T> attempt) throws IOException, InterruptedException {
    for (int failures = 0; ; failures++) {
      try {
        return attempt.run();
      } catch (IOException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (failures == options.maxRetries()) {
          throw e;
        }
        Thread.sleep(options.retryWait());
      }
    }
  }
}
