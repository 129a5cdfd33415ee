package io.kiln.scheduler.dag;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What a job carries besides its graph.
///
/// @param properties the submitting thread's local properties, which tasks can read
public record JobOptions(Map<String, String> properties) {
  public static final String POOL = "spark.scheduler.pool";
  public static final String GROUP = "spark.jobGroup.id";
  public static final String TAGS = "spark.job.tags";
  public static final String DESCRIPTION = "spark.job.description";
  public static final String INTERRUPT_ON_CANCEL = "spark.job.interruptOnCancel";

  public JobOptions {
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
  }

  public Optional<String> group() {
    return Optional.ofNullable(properties.get(GROUP));
  }

  public boolean hasTag(String tag) {
    return Arrays.asList(properties.getOrDefault(TAGS, "").split(",")).contains(tag);
  }

  public String pool() {
    return properties.getOrDefault(POOL, "default");
  }

  public boolean interruptOnCancel() {
    return Boolean.parseBoolean(properties.get(INTERRUPT_ON_CANCEL));
  }
}
