#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Starts the workers of all hosts that conf/workers names.
#
# Usage: start-workers.sh [--config DIR] [options]
#
# The workers look for their master at SPARK_MASTER_HOST (this host) and SPARK_MASTER_PORT (7077). The options are those of
# start-worker.sh.

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

host=${SPARK_MASTER_HOST:-$(hostname -f 2>/dev/null || hostname)}
exec "$KILN_SBIN/workers.sh" "$KILN_SBIN/start-worker.sh" "$@" "spark://$host:${SPARK_MASTER_PORT:-7077}"
