package io.kiln.driver;

/// The copies of broadcasts in other processes. Thread-safe.
interface BroadcastCopies {

  /// Lets executors have the value.
  ///
  /// @throws io.kiln.api.KilnException `NOT_SERIALIZABLE`, or `BROADCAST_NOT_STORED` if there is no
  ///     room
  void publish(long id, Object value);

  /// Drops the executors' copies; they may fetch it again.
  void drop(long id);

  /// Nobody gets it any more.
  void remove(long id);
}
