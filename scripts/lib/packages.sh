# shellcheck shell=bash
# Debian packages. Sourced after progress.sh.
#
# Installs only missing packages, and neither starts nor enables their services. The scripts start their own MariaDB and
# NATS with their own folders and ports. A service of the same name that already runs here is not touched.

readonly POLICY_FILE=/usr/sbin/policy-rc.d
readonly POLICY_MARK='# innkeeper: no service starts while its packages are installed'
readonly PACKAGES_LOCK=/run/lock/innkeeper-packages.lock

# ensure_packages PACKAGE...: installs the missing ones.
ensure_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} -eq 0 ]; then
    progress 'Debian packages'
    progress_done 'ok  (all installed)'
    return
  fi
  run_step "Debian packages: installing ${#missing[@]}" packages.log install_packages "${missing[@]}"
}

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

install_packages() (
  echo "to install: $*"
  exec 8>"$PACKAGES_LOCK"
  flock 8
  forbid_service_starts || exit 1
  trap allow_service_starts EXIT
  trap 'exit 130' INT TERM HUP
  apt_install "$@" || { apt-get update && apt_install "$@"; } || exit 1
  leave_services_off "$@"
)

apt_install() {
  DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends --no-upgrade \
    -o DPkg::Lock::Timeout=120 -o Dpkg::Options::=--force-confold -- "$@"
}

# Moves an existing policy file of the machine aside and restores it. A policy file that a killed run left is
# recognized.
forbid_service_starts() {
  if [ -e "$POLICY_FILE" ] && ! grep -qF "$POLICY_MARK" "$POLICY_FILE"; then
    mv "$POLICY_FILE" "$POLICY_FILE.before-innkeeper" || return 1
  fi
  printf '#!/bin/sh\n%s\nexit 101\n' "$POLICY_MARK" >"$POLICY_FILE" && chmod 755 "$POLICY_FILE"
}

allow_service_starts() {
  rm -f "$POLICY_FILE"
  [ ! -e "$POLICY_FILE.before-innkeeper" ] || mv "$POLICY_FILE.before-innkeeper" "$POLICY_FILE"
}

leave_services_off() {
  command -v systemctl >/dev/null || return 0
  local package unit
  for package in "$@"; do
    case $package in
      mariadb-server) set -- mariadb.service ;;
      nats-server) set -- nats-server.service ;;
      lxc) set -- lxc.service lxc-net.service lxc-monitord.service ;;
      *) continue ;;
    esac
    for unit in "$@"; do
      systemctl is-active --quiet "$unit" 2>/dev/null || systemctl disable "$unit" || true
    done
  done
}
