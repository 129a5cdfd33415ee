#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Sourced, with SPARK_HOME set. Sets SPARK_CONF_DIR and, once in a chain of scripts, exports all that its spark-env.sh
# assigns.

# What a daemon writes is its user's alone, unless KILN_DAEMON_UMASK says otherwise. KILN_UMASK is that of whoever started it:
# a worker gives it to the programs that it runs.
kiln_keep_to_ourselves() {
  export KILN_UMASK=${KILN_UMASK:-$(umask)}
  umask "${KILN_DAEMON_UMASK:-077}"
}

export SPARK_CONF_DIR=${SPARK_CONF_DIR:-$SPARK_HOME/conf}

if [[ -z ${SPARK_ENV_LOADED:-} ]]; then
  export SPARK_ENV_LOADED=1
  if [[ -f $SPARK_CONF_DIR/spark-env.sh ]]; then
    set -a
    # shellcheck source=/dev/null
    . "$SPARK_CONF_DIR/spark-env.sh"
    set +a
  fi
fi
