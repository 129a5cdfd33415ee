/// A standalone cluster of real processes under mishaps: `bench/chaos` starts it. The door is
/// [io.kiln.bench.chaos.ChaosMain].
package io.kiln.bench.chaos;
