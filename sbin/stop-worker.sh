#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Stops the workers of this machine.
#
# Usage: stop-worker.sh [--config DIR]
#
#   SPARK_WORKER_INSTANCES  how many workers this machine has (1)

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

for ((i = 1; i <= ${SPARK_WORKER_INSTANCES:-1}; i++)); do
  "$KILN_SBIN/spark-daemon.sh" stop org.apache.spark.deploy.worker.Worker "$i"
done
