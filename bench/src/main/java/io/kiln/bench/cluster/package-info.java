/// How large a standalone cluster one master can have: [io.kiln.bench.cluster.MasterSize].
package io.kiln.bench.cluster;
