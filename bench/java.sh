# Licensed under the Apache License, Version 2.0: see the file LICENSE.
# shellcheck shell=bash
#
# Finds a JDK for the benchmarks. To be sourced by a script that has a function fail.

java_version() { # the feature version of a java, or 0
  local version
  version=$("$1" -version 2>&1 | sed -nE 's/.*version "([0-9]+).*/\1/p' | head -n 1) || true
  echo "${version:-0}"
}

find_java() {
  local candidate
  for candidate in "${BENCH_JAVA:-}" "${JAVA_HOME:+$JAVA_HOME/bin/java}" "$(command -v java || true)" \
    /usr/lib/jvm/*/bin/java "$HOME"/.jdks/*/bin/java "$HOME"/.sdkman/candidates/java/*/bin/java; do
    if [[ -n $candidate && -x $candidate ]] && (($(java_version "$candidate") >= 25)); then
      echo "$candidate"
      return
    fi
  done
  fail "no JDK 25 or later found; set BENCH_JAVA to its java"
}
