#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Starts a master on this machine: start-master.sh [--host HOST] [--port PORT] [--properties-file FILE].

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

exec "$KILN_SBIN/spark-daemon.sh" start org.apache.spark.deploy.master.Master 1 "$@"
