/// Executors in processes of their own, as the driver sees them. The door is
/// [io.kiln.driver.cluster.ExecutorFleet].
package io.kiln.driver.cluster;
