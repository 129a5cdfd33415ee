/// The workloads as a program for Apache Spark writes them, to be measured beside Kiln's.
package io.kiln.bench.spark;
