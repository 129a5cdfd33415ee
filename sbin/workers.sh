#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Runs a command on each host that conf/workers names (this one, if there is no such file), by SPARK_SSH (ssh), with
# SPARK_SSH_OPTS (-o StrictHostKeyChecking=accept-new): workers.sh COMMAND [arguments]. Lines are marked with their host. Its
# exit code is 0 if all commands had that.

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
