#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Starts the workers of this machine, SPARK_WORKER_INSTANCES of them (1):
# start-worker.sh [--cores N] [--memory SIZE] [--work-dir DIR] [--host HOST] [--port PORT] spark://HOST:PORT[,HOST:PORT...].
# With SPARK_WORKER_PORT set, each further worker takes the next port.

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

for ((i = 1; i <= ${SPARK_WORKER_INSTANCES:-1}; i++)); do
  port=()
  # 0 is any port, for each of them.
  if [[ ${SPARK_WORKER_PORT:-0} -ne 0 ]]; then
    port=(--port $((SPARK_WORKER_PORT + i - 1)))
  fi
  if [[ ${SPARK_WORKER_WEBUI_PORT:-0} -ne 0 ]]; then
    port+=(--webui-port $((SPARK_WORKER_WEBUI_PORT + i - 1)))
  fi
  "$KILN_SBIN/spark-daemon.sh" start org.apache.spark.deploy.worker.Worker "$i" "${port[@]}" "$@"
done
