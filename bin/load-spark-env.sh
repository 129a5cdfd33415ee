#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Sourced, with SPARK_HOME set. Sets SPARK_CONF_DIR and, once in a chain of scripts, exports all that its spark-env.sh
# assigns.

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
