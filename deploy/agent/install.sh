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
Installs the Innkeeper agent on this server (Debian 12 or 13), or upgrades or repairs it.

  ./install.sh --check                                      lists what is needed and what would be changed
  ./install.sh --control HOST:8444 --join-token-file FILE   first installation
  ./install.sh                                              upgrade or repair
  ./install.sh --uninstall                                  removes everything that the installer placed

  --control HOST:PORT       address of the control plane for agents
  --join-token-file FILE    file with the join token that "innctl node add" printed; "-" reads standard input
  --check                   changes nothing; takes the same options. A line for each requirement: ok, change, note
                            (works with less) or refused, its name, and why
  --no-enrol                installs everything and does not enrol: for images of servers
  --re-enrol                enrols with the join token even if this server already has an identity
  --uninstall               fails while this server has hosting accounts, except with --force
  --purge-packages          with --uninstall: also removes the Debian packages that the installer installed, unless others
                            need them or they have data of yours
  --force                   with --uninstall: leaves the users and homes of hosting accounts on this server

Exit codes: 0 success, 1 a step failed, 2 nothing was changed (a requirement is not met, or invalid arguments).
The log of all steps: $LOG
TEXT
}

. "$SOURCE/lib/step.sh"
. "$SOURCE/lib/files.sh"
. "$SOURCE/lib/packages.sh"
. "$SOURCE/lib/system.sh"
. "$SOURCE/lib/mail.sh"
. "$SOURCE/lib/agent.sh"
. "$SOURCE/lib/uninstall.sh"
. "$SOURCE/lib/check.sh"

CONTROL='' TOKEN_FILE='' TOKEN='' CHECK='' NO_ENROL='' RE_ENROL='' UNINSTALL='' PURGE='' FORCE=''
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
    --check) CHECK=yes ;;
    --no-enrol) NO_ENROL=yes ;;
    --re-enrol) RE_ENROL=yes ;;
    --uninstall) UNINSTALL=yes ;;
    --purge-packages) PURGE=yes ;;
    --force) FORCE=yes ;;
    -h | --help) usage && exit 0 ;;
    *) refuse "\"$1\" is not a valid option. Run ./install.sh --help to see all options." ;;
  esac
  shift
done

[ "$(id -u)" = 0 ] || refuse 'The installer needs root. Run it with sudo.'

if [ -n "$UNINSTALL" ]; then
  open_log
  uninstall
  exit 0
fi

VERSION=$(cat "$SOURCE/VERSION" 2>/dev/null) ||
  refuse "$SOURCE is not a release of the agent: the file VERSION is missing. Run ./scripts/build, which creates a release in dist/agent/."
[ "$TOKEN_FILE" != - ] || TOKEN=$(cat)

if [ -n "$CHECK" ]; then
  show_check
  exit 0
fi
require_server
open_log
printf 'Innkeeper agent %s\n' "$VERSION"

step 'Requirements' warn_of_notes
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
step 'FTP' ensure_ftp
step 'crontab and at' ensure_schedulers
step 'Mail' ensure_mail
step 'nginx' ensure_nginx
step 'Old error pages' remove_old_pages
step 'Database server' ensure_databases
step 'Settings' ensure_settings
if [ -n "$NO_ENROL" ]; then
  printf 'Everything is installed. To enrol this server, run the installer with --join-token-file.\n'
  exit 0
fi
step 'Identity' ensure_identity
step 'Agent' ensure_agent

if [ "$CHANGES" = 0 ]; then
  printf 'Nothing had to be changed. The agent is ready.\n'
else
  printf 'The agent is ready. To see its state, run: innkeeper-agent status\n'
fi
