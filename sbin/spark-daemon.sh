#!/usr/bin/env bash
#
# Licensed under the Apache License, Version 2.0: see the file LICENSE.
#
# Runs a class in the background, and stops it again.
#
# Usage: spark-daemon.sh [--config DIR] ACTION CLASS INSTANCE [arguments]
#
#   start          start the class with the arguments, and wait until it says that it is up
#   stop           stop it, and wait until it has ended
#   status         say whether it runs; the exit code is 3 if it does not
#   decommission   tell a worker to take nothing new and to end once it is empty
#   wait           return when it has ended
#
#   SPARK_PID_DIR       where the process ids are kept (a directory of the user's own for each host, in ~/.kiln/run)
#   SPARK_LOG_DIR       where the logs go (logs in the installation)
#   SPARK_IDENT_STRING  a name for this installation's processes (the user's name)
#   SPARK_NICENESS      the priority of the process (0)
#   SPARK_NO_DAEMONIZE  if set, the class runs in the foreground
#   SPARK_START_SECONDS how long start waits for the process to be up (10)
#   SPARK_STOP_SECONDS  how long stop waits before it kills the process (30)
#   KILN_DAEMON_UMASK   the umask of the process, for its logs and work directories (077)

if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi

kiln_self=$(readlink -f -- "${BASH_SOURCE[0]}")
# shellcheck source=sbin/spark-config.sh
. "${kiln_self%/*}/spark-config.sh" "$@"
set -- "${KILN_ARGUMENTS[@]}"

kiln_keep_to_ourselves
readonly KEPT_LOGS=5
readonly START_SECONDS=${SPARK_START_SECONDS:-10}
readonly STOP_SECONDS=${SPARK_STOP_SECONDS:-30}

(($# >= 3)) || kiln_fail "usage: spark-daemon.sh [--config DIR] (start|stop|status|decommission|wait) CLASS INSTANCE [arguments]"
action=$1 class=$2 instance=$3
shift 3

ident=${SPARK_IDENT_STRING:-$(id -un)}
pid_dir=${SPARK_PID_DIR:-${HOME:-/nonexistent}/.kiln/run/$(hostname)}
pid_file=$pid_dir/spark-$ident-$class-$instance.pid
log_dir=${SPARK_LOG_DIR:-$SPARK_HOME/logs}
log=$log_dir/spark-$ident-$class-$instance-$(hostname).out
title="${class##*.} (instance $instance)"

# Others may have made the file, where the directory is theirs too: what it says would have us kill, or write, what they like.
refuse_foreign() { # refuse_foreign FILE SETTING
  if [[ -L $1 || (-e $1 && ! (-f $1 && -O $1)) ]]; then
    kiln_fail "$1 is not a file of $(id -un)'s: remove it, or set $2 to a directory that others can't write to"
  fi
}

# When the process was started, by the kernel's count: a process id alone may have been given to another since. Nothing if it
# has ended, though nobody has asked for its exit code yet.
start_time() {
  local stat
  if [[ -d /proc/self ]]; then
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    stat=${stat##*) }
    [[ $stat == [ZX]* ]] || cut -d ' ' -f 20 <<<"$stat"
  else
    ps -o lstart= -p "$1" 2>/dev/null || true
  fi
}

is_own_process() {
  if [[ -d /proc/self ]]; then
    [[ -O /proc/$1 ]]
  else
    [[ $(ps -o uid= -p "$1" 2>/dev/null | tr -d ' ') == "$(id -u)" ]]
  fi
}

# Sets running_pid to the process that the file names, or to nothing.
find_running() {
  local started
  running_pid=
  refuse_foreign "$pid_file" SPARK_PID_DIR
  [[ -f $pid_file ]] || return 0
  { read -r running_pid && read -r started; } <"$pid_file" || true
  if [[ ! $running_pid =~ ^[1-9][0-9]*$ ]] || [[ -z ${started:-} ]] ||
    [[ $(start_time "$running_pid") != "$started" ]] || ! is_own_process "$running_pid"; then
    running_pid= # left behind by one that has ended
  fi
}

rotate_logs() {
  local i
  [[ -f $log ]] || return 0
  for ((i = KEPT_LOGS; i > 1; i--)); do
    [[ ! -f $log.$((i - 1)) ]] || mv -f -- "$log.$((i - 1))" "$log.$i"
  done
  mv -f -- "$log" "$log.1"
}

start() {
  local pid i fresh
  find_running
  [[ -z $running_pid ]] || kiln_fail "$title runs already, as process $running_pid; stop it first"
  if [[ -n ${SPARK_NO_DAEMONIZE:-} ]]; then
    exec nice -n "${SPARK_NICENESS:-0}" "$SPARK_HOME/bin/spark-class" "$class" "$@"
  fi
  mkdir -p -- "$pid_dir" || kiln_fail "$pid_dir can't be made: set SPARK_PID_DIR to a directory for the process ids"
  mkdir -p -- "$log_dir" || kiln_fail "$log_dir can't be made: set SPARK_LOG_DIR to a directory for the logs"
  refuse_foreign "$log" SPARK_LOG_DIR
  rotate_logs
  # Made anew, and through no link that others have put there since.
  (set -C && : >"$log") 2>/dev/null || kiln_fail "$log can't be made: set SPARK_LOG_DIR to a directory that can be written to"
  fresh=$(mktemp -- "$pid_dir/.pid.XXXXXX") || kiln_fail "nothing can be written to $pid_dir: set SPARK_PID_DIR to another"
  nohup nice -n "${SPARK_NICENESS:-0}" "$SPARK_HOME/bin/spark-class" "$class" "$@" >>"$log" 2>&1 </dev/null &
  pid=$!
  printf '%s\n%s\n' "$pid" "$(start_time "$pid")" >"$fresh"
  mv -f -- "$fresh" "$pid_file"
  # The class says on its first line that it is up.
  for ((i = 0; i < START_SECONDS * 10; i++)); do
    if grep -q ' is at spark://' "$log" 2>/dev/null; then
      echo "$(grep -m 1 ' is at spark://' "$log"); its log is $log"
      return
    fi
    if [[ -z $(start_time "$pid") ]]; then
      rm -f -- "$pid_file"
      tail -n 5 -- "$log" >&2
      kiln_fail "$title did not start; its log is $log"
    fi
    sleep 0.1
  done
  echo "$title is starting, as process $pid; its log is $log"
}

stop() {
  local i
  find_running
  if [[ -z $running_pid ]]; then
    rm -f -- "$pid_file"
    echo "$title does not run"
    return
  fi
  kill "$running_pid" 2>/dev/null || true
  for ((i = 0; i < STOP_SECONDS * 10; i++)); do
    if [[ -z $(start_time "$running_pid") ]]; then
      rm -f -- "$pid_file"
      echo "$title has stopped"
      return
    fi
    sleep 0.1
  done
  kill -9 "$running_pid" 2>/dev/null || true
  rm -f -- "$pid_file"
  echo "$title did not end within $STOP_SECONDS s and was killed" >&2
}

# The worker says in its log which signal it takes for this; any other would end it at once.
decommission() {
  local line signal
  find_running
  refuse_foreign "$log" SPARK_LOG_DIR
  if [[ -z $running_pid ]]; then
    rm -f -- "$pid_file"
    echo "$title does not run"
    return
  fi
  line=$(grep -E -m 1 '^Signal [A-Z0-9]+ decommissions this worker$' "$log" 2>/dev/null) ||
    kiln_fail "$title can't be decommissioned: it was not started with spark.decommission.enabled=true; stop it by stop-worker.sh, or start it so"
  signal=${line#Signal }
  kill -s "${signal%% *}" "$running_pid"
  echo "$title takes nothing more, and ends once it is empty"
}

# One that is empty may have ended before anybody waits: its file tells that it was there.
wait_until_it_ends() {
  find_running
  [[ -f $pid_file ]] || return 0
  while [[ -n $running_pid && -n $(start_time "$running_pid") ]]; do
    sleep 0.2
  done
  echo "$title has ended"
  rm -f -- "$pid_file"
}

status() {
  find_running
  if [[ -n $running_pid ]]; then
    echo "$title runs, as process $running_pid"
  else
    echo "$title does not run"
    exit 3
  fi
}

case $action in
  start) start "$@" ;;
  stop) stop ;;
  status) status ;;
  decommission) decommission ;;
  wait) wait_until_it_ends ;;
  *) kiln_fail "'$action' is none of start, stop, status, decommission and wait" ;;
esac
