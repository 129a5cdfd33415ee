/// How workers and applications follow a master: [io.kiln.cluster.session.FollowedMaster].
package io.kiln.cluster.session;
