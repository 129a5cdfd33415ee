#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Takes the workers of this machine away without losing anything.
#
# Usage: decommission-worker.sh [--config DIR] [--block-until-exit]
#
# Each worker takes nothing new from now on. It ends once the executors that it runs have moved what they hold and ended. The
# workers must have been started with spark.decommission.enabled=true.
#
#   --config DIR           the directory of the settings (conf)
#   --block-until-exit     return only when the workers have ended
#   SPARK_WORKER_INSTANCES how many workers this machine has (1)

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
