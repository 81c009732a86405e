# shellcheck shell=bash
# Shared by up, down and test. Sourced; needs ROOT.

export PATH="$PATH:/usr/sbin:/sbin"
# Other users must be able to read the created files, whatever umask root has.
umask 022

. "$ROOT/scripts/lib/progress.sh"
. "$ROOT/scripts/lib/packages.sh"
. "$ROOT/scripts/lib/toolchain.sh"

# The Debian packages that the control plane and the boxes need.
# shellcheck disable=SC2034
readonly RUNTIME_PACKAGES=(mariadb-server nats-server lxc mmdebstrap iproute2 openssh-client sshpass curl ca-certificates pebble)
# For a hosting server in a virtual machine.
# shellcheck disable=SC2034
readonly VIRTUAL_MACHINE_PACKAGES=(qemu-system-x86 qemu-utils)
# For the tests of boxes and of the virtual machine: the browser, the clock of cron, and promtool for the alert rules.
# shellcheck disable=SC2034
readonly BOXES_TEST_PACKAGES=(chromium libfaketime lftp prometheus "${VIRTUAL_MACHINE_PACKAGES[@]}")

usage_error() {
  echo "$1" >&2
  exit 2
}

require_root() {
  [ "$(id -u)" -eq 0 ] || usage_error "This script needs root, because it creates boxes, a network bridge and mounts. Run: sudo $0"
}

# number_argument OPTION VALUE...: prints the value.
number_argument() {
  if [[ ! ${2-} =~ ^[0-9]{1,5}$ ]]; then
    echo "$1 needs a number of up to five digits" >&2
    return 1
  fi
  echo "$2"
}
