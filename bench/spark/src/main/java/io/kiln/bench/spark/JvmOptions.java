package io.kiln.bench.spark;

import org.apache.spark.launcher.JavaModuleOptions;

/// Prints the JVM options that Spark's own launcher gives every JVM, on one line.
public final class JvmOptions {
  private JvmOptions() {}

  public static void main(String[] words) {
    System.out.println(JavaModuleOptions.defaultModuleOptions());
  }
}
