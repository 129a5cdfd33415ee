#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Has the workers of this machine, SPARK_WORKER_INSTANCES of them (1), take nothing more, and end once what they run has ended
# or moved: decommission-worker.sh [--block-until-exit]. With that option it returns when they have ended. The workers must
# have been started with spark.decommission.enabled=true.

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

wait=()
case ${1:-} in
  '') ;;
  --block-until-exit) wait=(wait) ;;
  *) kiln_fail "usage: decommission-worker.sh [--config DIR] [--block-until-exit]" ;;
esac

# All are told before any is waited for: what one has may not move to another that goes too.
for action in decommission "${wait[@]}"; do
  for ((i = 1; i <= ${SPARK_WORKER_INSTANCES:-1}; i++)); do
    "$KILN_SBIN/spark-daemon.sh" "$action" org.apache.spark.deploy.worker.Worker "$i"
  done
done
