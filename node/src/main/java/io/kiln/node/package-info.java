/// What the processes of a standalone cluster share, and those that use one: the registry of what
/// they say to each other, the host for one machine with its links ([io.kiln.node.ClusterNode]),
/// the cluster's secret and the keys that follow from it, and what a submission asks for.
package io.kiln.node;
