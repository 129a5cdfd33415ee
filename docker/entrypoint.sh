#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# What a container does: entrypoint.sh ROLE [arguments]. It becomes that process, which so gets the container's signals and
# gives it its exit code.
#
#   master [options]               a master; options as of sbin/start-master.sh
#   worker [options] spark://...   a worker; options as of sbin/start-worker.sh
#   driver [options] JAR [args]    an application whose driver runs here; as of bin/spark-submit
#   executor --driver-url ...      an executor with SPARK_EXECUTOR_MEMORY (1g), for the driver at that URL
#   anything else                  that command

set -eu

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
SPARK_HOME=${SPARK_HOME:-${kiln_self%/docker/*}}
export SPARK_HOME

if (($# == 0)); then
  echo "Error: say what to run: master, worker, driver, executor, or a command" >&2
  exit 2
fi
role=$1
shift
case $role in
  master) exec "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.master.Master "$@" ;;
  worker) exec "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.worker.Worker "$@" ;;
  driver) exec "$SPARK_HOME/bin/spark-submit" "$@" ;;
  executor)
    export SPARK_DRIVER_MEMORY=${SPARK_EXECUTOR_MEMORY:-1g}
    exec "$SPARK_HOME/bin/spark-class" io.kiln.executor.process.ExecutorMain "$@"
    ;;
  *) exec "$role" "$@" ;;
esac
