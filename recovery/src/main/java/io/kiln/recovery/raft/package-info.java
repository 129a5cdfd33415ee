/// Masters that are a quorum of their own, by Raft; [io.kiln.recovery.raft.RaftRecovery].
package io.kiln.recovery.raft;
