#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Stops the master of this machine.
#
# Usage: stop-master.sh [--config DIR]

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

exec "$KILN_SBIN/spark-daemon.sh" stop org.apache.spark.deploy.master.Master 1
