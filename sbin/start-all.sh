#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Starts a master on this machine, and workers on all hosts that conf/workers names.
#
# Usage: start-all.sh [--config DIR]
#
# Without conf/workers, the workers are started on this machine.

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

# Workers reach the master by the name that it is given.
export SPARK_MASTER_HOST=${SPARK_MASTER_HOST:-$(hostname -f 2>/dev/null || hostname)}
"$KILN_SBIN/start-master.sh"
exec "$KILN_SBIN/start-workers.sh"
