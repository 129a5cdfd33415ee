/// Programs that run in a cluster rather than in this process: asks the cluster's manager to run
/// one, to tell how one is, and to end one. Who does that for a manager is a
/// [io.kiln.submit.cluster.ClusterClient]; without it, a submission loads none of this.
package io.kiln.submit.cluster;
