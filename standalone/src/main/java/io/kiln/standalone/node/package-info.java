/// What the processes of a standalone cluster share: the registry of what they say to each other, a
/// host for one machine with its links, and the cluster's secret.
package io.kiln.standalone.node;
