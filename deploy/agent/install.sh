#!/usr/bin/env bash
#
# Makes this server an Innkeeper hosting server, or upgrades one. Run it from an unpacked release.
#
# It observes before it acts, so a second run changes nothing. It writes each file beside its place, renames it into
# place and lists it: an upgrade then removes the files that the new release does not have, and --uninstall removes
# all files. A new release is placed beside the running one, and a link is swapped. Only the agent restarts: sites,
# sessions and jobs continue.
set -euo pipefail

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
STATE=/var/lib/innkeeper/install
LOG=/var/log/innkeeper-install.log
CONF=/etc/innkeeper/agent.conf
AGENT=/usr/local/sbin/innkeeper-agent

usage() {
  cat <<TEXT
Makes this server (Debian 12 or later) an Innkeeper hosting server, or upgrades one.

  ./install.sh --control HOST:8444 --join-token-file FILE   the first time
  ./install.sh                                              later: upgrade, or repair
  ./install.sh --uninstall                                  remove everything it placed

  --control HOST:PORT       where the control plane takes agents
  --join-token-file FILE    holds the token that "innctl node add" printed; "-" is standard input
  --re-enrol                use the join token although this server has an identity
  --uninstall               refused while hosting accounts exist
  --force                   with --uninstall: although they do; their users and homes stay behind

The log of every step: $LOG
TEXT
}

. "$SOURCE/lib/step.sh"
. "$SOURCE/lib/files.sh"
. "$SOURCE/lib/packages.sh"
. "$SOURCE/lib/system.sh"
. "$SOURCE/lib/agent.sh"
. "$SOURCE/lib/uninstall.sh"

CONTROL='' TOKEN_FILE='' RE_ENROL='' UNINSTALL='' FORCE=''
while [ $# -gt 0 ]; do
  case $1 in
    --control | --join-token-file)
      [ $# -ge 2 ] || refuse "$1 needs a value. ./install.sh --help shows how."
      case $1 in
        --control) CONTROL=$2 ;;
        --join-token-file) TOKEN_FILE=$2 ;;
      esac
      shift
      ;;
    --re-enrol) RE_ENROL=yes ;;
    --uninstall) UNINSTALL=yes ;;
    --force) FORCE=yes ;;
    -h | --help) usage && exit 0 ;;
    *) refuse "\"$1\" is not an option. ./install.sh --help shows them." ;;
  esac
  shift
done

[ "$(id -u)" = 0 ] || refuse 'Only root can install the agent.'
open_log

if [ -n "$UNINSTALL" ]; then
  uninstall
  exit 0
fi

VERSION=$(cat "$SOURCE/VERSION" 2>/dev/null) ||
  refuse "This is not a release: $SOURCE has no VERSION. ./scripts/build makes one in dist/agent/."
printf 'Innkeeper agent %s\n' "$VERSION"

step 'This server' check_server
step 'Packages of Debian' ensure_packages
step 'Release' place_release
step 'Sites of an earlier release' adopt_sites
step 'Files' place_files
step 'Groups and folders' ensure_folders
step 'Uids of this server' ensure_uid_range
step 'Kernel settings' ensure_sysctls
step 'Units' reload_units
step 'Sessions (PAM)' ensure_pam
step 'SSH' reload_ssh
step 'crontab and at' ensure_schedulers
step 'nginx' ensure_nginx
step 'Files of an earlier release' remove_old_pages
step 'Databases' ensure_databases
step 'Settings' ensure_settings
step 'Identity' ensure_identity
step 'Agent' ensure_agent

if [ "$CHANGES" = 0 ]; then
  printf 'Nothing had to be changed. The agent is ready.\n'
else
  printf 'The agent is ready: innkeeper-agent status\n'
fi
