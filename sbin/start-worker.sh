#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Starts the workers of this machine.
#
# Usage: start-worker.sh [--config DIR] [options] spark://HOST:PORT[,HOST:PORT...]
#
# The URL names the master or, where there are several, all of them.
#
#   --cores N               how many cores it gives away (SPARK_WORKER_CORES, or all)
#   --memory SIZE           how much memory it gives away (SPARK_WORKER_MEMORY, or all but 1 GiB)
#   --work-dir DIR          where executors and drivers work and log (SPARK_WORKER_DIR, or work in the installation)
#   --host HOST             the name or address at which others reach it (SPARK_WORKER_HOST, or this host's address)
#   --port PORT             the port at which others reach it (SPARK_WORKER_PORT, or any)
#   --webui-port PORT       the port at which it shows its state (SPARK_WORKER_WEBUI_PORT, spark.worker.ui.port, or 8081)
#   --properties-file FILE  a file of settings, read in place of conf/spark-defaults.conf
#   SPARK_WORKER_INSTANCES  how many workers to start (1); of the ports in SPARK_... variables, each takes the next

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
