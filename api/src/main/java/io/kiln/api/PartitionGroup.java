package io.kiln.api;

import java.util.List;

/// A partition made of several: one of each of several parents, or several of one parent.
record PartitionGroup(int index, List<Partition> members) implements Partition {
  PartitionGroup {
    members = List.copyOf(members);
  }
}
