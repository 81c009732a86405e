# shellcheck shell=bash
# Progress: one line for each step; all other output goes to the log. Sourced by install.sh.

CHANGES=0
STEP=''

# refuse SENTENCE: ends the script before it changed anything.
refuse() {
  printf '%s\n' "$1" >&2
  exit 2
}

open_log() {
  exec 3>&1 4>&2
  (umask 077 && : >>"$LOG")
  printf '\n==== %s\n' "$(date --iso-8601=seconds)" >>"$LOG"
  trap on_exit EXIT
}

# step NAME FUNCTION: runs the function with its output in the log. The function sets RESULT to what it changed, or
# leaves it unset if it changed nothing. A failed command in the function ends the installation.
step() {
  STEP=$1 RESULT='' REASON='' NOTES=''
  printf '  %-24s ' "$1" >&3
  printf '\n== %s\n' "$1" >>"$LOG"
  "$2" >>"$LOG" 2>&1 </dev/null
  if [ -n "$RESULT" ]; then
    CHANGES=$((CHANGES + 1))
    printf '%s\n' "$RESULT" >&3
  else
    printf 'unchanged\n' >&3
  fi
  printf '%s' "$NOTES" >&3
  STEP=''
}

# did WORDS: records a change of the current step.
did() { RESULT=${RESULT:+$RESULT, }$1; }

# warn SENTENCE: shows a warning; the installation continues.
warn() { NOTES="$NOTES    warning: $1
"; }

# fail SENTENCE: ends the installation with a reason.
fail() {
  REASON=$1
  exit 1
}

on_exit() {
  local status=$?
  [ "$status" != 0 ] && [ -n "$STEP" ] || return 0
  {
    printf 'failed\n\nThe step "%s" failed' "$STEP"
    if [ -n "${REASON:-}" ]; then
      printf ': %s\n' "$REASON"
    else
      printf '. The end of its log:\n\n'
      tail -n 15 "$LOG" | sed 's/^/    /'
    fi
    printf '\nThe whole log is %s. The steps before this one are complete. Run the installer again to continue with this step.\n' "$LOG"
  } >&4
}
