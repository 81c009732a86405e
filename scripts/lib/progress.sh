# shellcheck shell=bash
# One line of progress for each shell step of a script. Sourced; needs LOG_DIR.

progress() { printf '  %-46s ' "$1"; }

progress_done() { printf '%s\n' "${1:-ok}"; }

# run_step NAME LOG COMMAND...: runs the command with its output in LOG_DIR/LOG. If it fails, prints the step, the end
# of the log and its path, and ends the script.
run_step() {
  local name=$1 log=$LOG_DIR/$2 start=$EPOCHREALTIME
  shift 2
  progress "$name"
  printf '\n== %s\n' "$name" >>"$log"
  if "$@" >>"$log" 2>&1 </dev/null; then
    progress_done "ok  $(elapsed_since "$start")"
    return
  fi
  progress_done 'failed'
  {
    printf '\nThe step "%s" failed. The end of its log:\n\n' "$name"
    tail -n 15 "$log" | sed 's/^/    /'
    printf '\nThe whole log is %s\n' "$log"
  } >&2
  exit 1
}

elapsed_since() {
  local us=$((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}))
  printf '%d.%d s' $((us / 1000000)) $((us / 100000 % 10))
}
