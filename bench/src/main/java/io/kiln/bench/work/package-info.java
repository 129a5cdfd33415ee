/// What every engine under measurement shares: the workloads and their sizes, the arguments,
/// the data made in the tasks, the stop-watch and the line it prints. It uses the JDK alone,
/// so that the project of the peer (`bench/spark`) compiles the same sources.
package io.kiln.bench.work;
