# shellcheck shell=bash
# The Debian packages that the agent needs. Sourced by install.sh.

# A required file (a pattern), and the package that contains it.
NEEDED='
/usr/sbin/nginx                            nginx-light
/usr/sbin/php-fpm[0-9]*                    php-fpm
/usr/sbin/cron                             cron
/usr/sbin/m[ay]*d                          mariadb-server
/usr/sbin/sshd                             openssh-server
/usr/bin/dbus-daemon                       dbus
/usr/lib/*/security/pam_systemd.so         libpam-systemd
/usr/lib/*/security/pam_namespace.so       libpam-modules
/usr/sbin/pam-auth-update                  libpam-runtime
/usr/sbin/sysctl                           procps
/usr/bin/kill                              procps
/usr/bin/ipcrm                             util-linux
/usr/bin/openssl                           openssl
/usr/bin/tar                               tar
/usr/bin/php                               php-cli
/usr/lib/php/*/mysqli.so                   php-mysql
/usr/lib/php/*/curl.so                     php-curl
/usr/lib/php/*/gd.so                       php-gd
/usr/lib/php/*/intl.so                     php-intl
/usr/lib/php/*/mbstring.so                 php-mbstring
/usr/lib/php/*/dom.so                      php-xml
/usr/lib/php/*/zip.so                      php-zip
/usr/sbin/setquota                         quota
/usr/sbin/nft                              nftables
/usr/bin/git                               git
/usr/bin/ssh                               openssh-client
'

check_server() {
  local id='' version=''
  # shellcheck disable=SC1091
  id=$(. /etc/os-release && printf '%s %s' "${ID:-}" "${ID_LIKE:-}")
  # shellcheck disable=SC1091
  version=$(. /etc/os-release && printf '%s' "${VERSION_ID:-0}")
  case " $id " in
    *' debian '*) ;;
    *) fail "The agent needs Debian 12 or later. This server runs \"$id\"." ;;
  esac
  if [ "${id%% *}" = debian ] && [ "${version%%.*}" -lt 12 ]; then
    fail "The agent needs Debian 12 or later. This server runs Debian $version."
  fi
  [ -d /run/systemd/system ] || fail 'The agent needs systemd as process 1, which this server does not have.'
  "$SOURCE/node" --version || fail "The Node.js of this release does not run on this server ($(uname -m)). Use a release for this architecture."
}

missing_packages() {
  local pattern package
  while read -r pattern package; do
    [ -n "$pattern" ] || continue
    compgen -G "$pattern" >/dev/null || printf '%s\n' "$package"
  done <<<"$NEEDED" | sort -u
}

ensure_packages() {
  local missing
  missing=$(missing_packages | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086
  apt-get install -y --no-install-recommends $missing ||
    { apt-get update && apt-get install -y --no-install-recommends $missing; } ||
    fail "apt-get could not install these packages: ${missing% }. Run \"apt-get install ${missing% }\" to see the reason, and run the installer again when it succeeds."
  did "installed $missing"
}
