#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Stops the workers of all hosts that conf/workers names.
#
# Usage: stop-workers.sh [--config DIR]

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

exec "$KILN_SBIN/workers.sh" "$KILN_SBIN/stop-worker.sh"
