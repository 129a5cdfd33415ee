package io.kiln.scheduler.dag;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Job groups of which no job is to run any more. Only the latest are remembered.
final class CancelledGroups {
  private static final int REMEMBERED = 1000;

  private final Map<String, String> reasons = new LinkedHashMap<>();

  void add(String group, String reason) {
    reasons.remove(group);
    reasons.put(group, reason);
    if (reasons.size() > REMEMBERED) {
      reasons.remove(reasons.keySet().iterator().next());
    }
  }

  Optional<String> reason(JobOptions options) {
    return options.group().map(reasons::get);
  }
}
