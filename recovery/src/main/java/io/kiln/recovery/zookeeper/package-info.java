/// Masters that elect and keep by ZooKeeper; [io.kiln.recovery.zookeeper.ZooKeeperRecovery].
package io.kiln.recovery.zookeeper;
