/// The machines of the standalone cluster: `master`, `worker` and, in an application's driver,
/// `client`. What they say to each other is in `protocol`.
package io.kiln.cluster;
