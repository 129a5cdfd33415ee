package io.kiln.bench;

/// A row of the transport beside Netty alone. Figures are amounts a second.
enum TransportRow {
  RTT1_PLAIN("rtt1-plain", "small messages there and back, 1 in flight", "round trips/s", 1),
  RTT1_TLS("rtt1-tls", "the same with TLS", "round trips/s", 1),
  RTT64_PLAIN("rtt64-plain", "small messages there and back, 64 in flight", "round trips/s", 1),
  RTT64_TLS("rtt64-tls", "the same with TLS", "round trips/s", 1),
  STREAM_PLAIN("stream-plain", "a stream of 128 MiB from a file", "MB/s", 1e-6),
  STREAM_TLS("stream-tls", "the same with TLS", "MB/s", 1e-6);

  /// Kiln ÷ Netty to reach.
  static final double GOAL = 0.7;

  private final String label;
  private final String title;
  private final String unit;
  private final double scale;

  TransportRow(String label, String title, String unit, double scale) {
    this.label = label;
    this.title = title;
    this.unit = unit;
    this.scale = scale;
  }

  /// The word in the lines of `bench/run`.
  String label() {
    return label;
  }

  String title() {
    return title;
  }

  String unit() {
    return unit;
  }

  /// What a collected figure is multiplied by to be in [#unit].
  double scale() {
    return scale;
  }
}
