#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Runs spark-daemon.sh on each host that conf/workers names.
#
# Usage: spark-daemons.sh [--config DIR] ACTION CLASS INSTANCE [arguments]
#
# See spark-daemon.sh --help for the actions.

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

exec "$KILN_SBIN/workers.sh" "$KILN_SBIN/spark-daemon.sh" "$@"
