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
Installs the Innkeeper agent on this server (Debian 12 or later), or upgrades or repairs it.

  ./install.sh --control HOST:8444 --join-token-file FILE   first installation
  ./install.sh                                              upgrade or repair
  ./install.sh --uninstall                                  removes everything that the installer placed

  --control HOST:PORT       address of the control plane for agents
  --join-token-file FILE    file with the join token that "innctl node add" printed; "-" reads standard input
  --re-enrol                enrols with the join token even if this server already has an identity
  --uninstall               fails while this server has hosting accounts, except with --force
  --force                   with --uninstall: leaves the users and homes of hosting accounts on this server

Exit codes: 0 success, 1 a step failed, 2 nothing was changed (invalid arguments, not root, or no release).
The log of all steps: $LOG
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
      [ $# -ge 2 ] || refuse "$1 needs a value. Run ./install.sh --help to see all options."
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
    *) refuse "\"$1\" is not a valid option. Run ./install.sh --help to see all options." ;;
  esac
  shift
done

[ "$(id -u)" = 0 ] || refuse 'The installer needs root. Run it with sudo.'
open_log

if [ -n "$UNINSTALL" ]; then
  uninstall
  exit 0
fi

VERSION=$(cat "$SOURCE/VERSION" 2>/dev/null) ||
  refuse "$SOURCE is not a release of the agent: the file VERSION is missing. Run ./scripts/build, which creates a release in dist/agent/."
printf 'Innkeeper agent %s\n' "$VERSION"

step 'Requirements' check_server
step 'Debian packages' ensure_packages
step 'Release' place_release
step 'Sites of an earlier release' adopt_sites
step 'Files' place_files
step 'Groups and folders' ensure_folders
step 'Range of uids' ensure_uid_range
step 'Kernel settings' ensure_sysctls
step 'systemd units' reload_units
step 'Sessions (PAM)' ensure_pam
step 'SSH' reload_ssh
step 'crontab and at' ensure_schedulers
step 'nginx' ensure_nginx
step 'Old error pages' remove_old_pages
step 'Database server' ensure_databases
step 'Settings' ensure_settings
step 'Identity' ensure_identity
step 'Agent' ensure_agent

if [ "$CHANGES" = 0 ]; then
  printf 'Nothing had to be changed. The agent is ready.\n'
else
  printf 'The agent is ready. To see its state, run: innkeeper-agent status\n'
fi
