/// The benchmarks. [io.kiln.bench.BenchInput] makes their text,
/// [io.kiln.bench.SingleThreadBench] is what one thread does without an engine, and
/// `bench/run` runs them in turn with Kiln and its peer.
package io.kiln.bench;
