#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Runs a command on each host that conf/workers names, or on this one if there is no such file.
#
# Usage: workers.sh [--config DIR] COMMAND [arguments]
#
# Each line that a command prints is marked with its host. The exit code is 0 if all commands ended with 0.
#
#   SPARK_WORKERS    the file that names the hosts (workers in the directory of the settings)
#   SPARK_SSH        the program that reaches them (ssh)
#   SPARK_SSH_OPTS   its options (-o StrictHostKeyChecking=accept-new)

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

(($# > 0)) || kiln_fail "usage: workers.sh [--config DIR] COMMAND [arguments]"
workers_file=${SPARK_WORKERS:-$SPARK_CONF_DIR/workers}
hosts=()
if [[ -f $workers_file ]]; then
  while read -r host _; do
    [[ -z $host || $host == "#"* ]] || hosts+=("$host")
  done <"$workers_file"
else
  hosts=(localhost)
fi

# One word for the shell at the other end.
printf -v remote "%q " "$@"
read -ra options <<<"${SPARK_SSH_OPTS:--o StrictHostKeyChecking=accept-new}"

run_on() {
  if [[ $1 == localhost && -z ${SPARK_SSH:-} ]]; then
    "${@:2}"
  else
    "${SPARK_SSH:-ssh}" "${options[@]}" "$1" "$remote"
  fi
}

pids=()
for host in "${hosts[@]}"; do
  (
    set -o pipefail
    run_on "$host" "$@" </dev/null 2>&1 | while IFS= read -r line; do printf "%s: %s\n" "$host" "$line"; done
  ) &
  pids+=($!)
done
failed=0
for pid in "${pids[@]}"; do
  wait "$pid" || failed=1
done
exit "$failed"
