#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Sourced by the scripts beside it. It answers --help, and sets SPARK_HOME, SPARK_CONF_DIR, what conf/spark-env.sh sets, and
# KILN_SBIN, which is this directory.

set -euo pipefail

# A script's help is the comment at its head, which ends at the first empty line.
if [[ ${1:-} == --help ]]; then
  sed -n '5,/^$/s/^# \{0,1\}//p' "$0"
  exit 0
fi

kiln_script=${BASH_SOURCE[0]}
[[ $kiln_script == */* ]] || kiln_script=./$kiln_script
KILN_SBIN=$(CDPATH='' cd -P -- "${kiln_script%/*}" && pwd)

# Takes `--config DIR` from the front of the caller's arguments: KILN_ARGUMENTS are the others.
# shellcheck disable=SC2034 # for the script that sources this
KILN_ARGUMENTS=("$@")
if [[ ${1:-} == --config ]]; then
  if [[ ! -d ${2:-} ]]; then
    echo "Error: --config needs the directory of the settings, not '${2:-}'" >&2
    exit 1
  fi
  export SPARK_CONF_DIR=$2
  # shellcheck disable=SC2034
  KILN_ARGUMENTS=("${@:3}")
fi

# shellcheck source=bin/find-spark-home
. "$KILN_SBIN/../bin/find-spark-home"
# shellcheck source=bin/load-spark-env.sh
. "$SPARK_HOME/bin/load-spark-env.sh"

kiln_fail() {
  printf 'Error: %s\n' "$1" >&2
  exit 1
}
