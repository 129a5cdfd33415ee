#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Starts a master on this machine.
#
# Usage: start-master.sh [--config DIR] [options]
#
#   --host HOST             the name or address at which others reach it (SPARK_MASTER_HOST, or this host's address)
#   --port PORT             the port at which others reach it (SPARK_MASTER_PORT, or 7077)
#   --webui-port PORT       the port at which it shows its state (SPARK_MASTER_WEBUI_PORT, spark.master.ui.port, or 8080)
#   --properties-file FILE  a file of settings, read in place of conf/spark-defaults.conf

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

exec "$KILN_SBIN/spark-daemon.sh" start org.apache.spark.deploy.master.Master 1 "$@"
