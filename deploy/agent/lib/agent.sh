# shellcheck shell=bash
# The agent itself: release, settings, identity, service. Sourced by install.sh.

RELEASES=/opt/innkeeper/releases
IDENTITY=/var/lib/innkeeper/agent/identity/node.json
# The agent, and what it runs as accounts.
PROGRAMS=(innkeeper-agent.mjs innkeeper-task.mjs innkeeper-files.mjs innkeeper-terminal.pl innkeeper-dump.pl)

# Each release has its own folder. A link points to the running one.
place_release() {
  local id folder
  id=$VERSION-$({
    cat "${PROGRAMS[@]/#/$SOURCE/}" "$SOURCE/node"
    cd "$SOURCE/files" && find . -type f -exec stat -c '%n %a' {} + -exec sha256sum {} + | sort
  } | sha256sum | cut -c 1-12)
  folder=$RELEASES/$id
  if [ ! -d "$folder" ]; then
    rm -rf "$folder.unfinished"
    mkdir -p "$folder.unfinished"
    install -m 755 "$SOURCE/node" "$folder.unfinished/node"
    install -m 644 "${PROGRAMS[@]/#/$SOURCE/}" "$SOURCE/VERSION" "$folder.unfinished/"
    # The agent restores lost ones.
    cp -R --preserve=mode "$SOURCE/files" "$folder.unfinished/files"
    sync -f "$folder.unfinished"
    mv -T "$folder.unfinished" "$folder"
    did "installed $id"
  fi
  PREVIOUS=$(readlink /opt/innkeeper/agent || true)
  swap_link "$folder" /opt/innkeeper/agent || return 0
  did 'selected it for the next start of the agent'
  local old
  for old in "$RELEASES"/*; do
    [ "$old" = "$folder" ] || [ "$old" = "$PREVIOUS" ] || rm -rf "$old"
  done
}

# set_setting NAME VALUE: replaces the line of the setting, at the same place in the file.
set_setting() {
  ! grep -qxF "$1=$2" "$CONF" || return 0
  if grep -q "^$1=" "$CONF"; then
    sed "s|^$1=.*|$1=$2|" "$CONF" >"$CONF.innkeeper-new"
  else
    { cat "$CONF" && printf '%s=%s\n' "$1" "$2"; } >"$CONF.innkeeper-new"
  fi
  mv -fT "$CONF.innkeeper-new" "$CONF"
  did "set $1=$2"
}

ensure_settings() {
  if [ ! -e "$CONF" ]; then
    install -m 644 "$SOURCE/agent.conf" "$CONF"
    did "created $CONF"
  fi
  if [ -n "$CONTROL" ]; then set_setting INNKEEPER_CONTROL "$CONTROL"; fi
  read_links
}

ensure_identity() {
  if [ -e "$IDENTITY" ] && [ -z "$RE_ENROL" ]; then return 0; fi
  local said
  said=$("$AGENT" enroll --token-file "$TOKEN_FILE" <<<"$TOKEN" 2>&1) || fail "$said"
  printf '%s\n' "$said"
  did "$said"
}

# Fingerprint of everything that the running agent started from. A change requires a restart.
agent_fingerprint() {
  { readlink /opt/innkeeper/agent && cat "$CONF" /etc/systemd/system/innkeeper-agent.service && cksum "$IDENTITY"; } |
    sha256sum
}

ensure_agent() {
  enable_at_boot innkeeper-agent
  read_links
  local fingerprint
  fingerprint=$(agent_fingerprint)
  if ! systemctl is-active --quiet innkeeper-agent; then
    systemctl start innkeeper-agent || fail "The agent does not start. To see the reason, run: journalctl -u innkeeper-agent"
    did 'started'
  elif [ "$(cat "$STATE/started-from" 2>/dev/null)" != "$fingerprint" ]; then
    systemctl restart innkeeper-agent || fail "The agent does not start. To see the reason, run: journalctl -u innkeeper-agent"
    did 'restarted'
  fi
  printf '%s\n' "$fingerprint" >"$STATE/started-from"
  "$AGENT" status --wait 60 || fail "The agent runs, but was not ready within 60 s: $("$AGENT" status | tail -n +2)"
}
