# shellcheck shell=bash
# The Debian packages that the agent needs. Sourced by install.sh.

# A required file (a pattern), and the package that contains it.
NEEDED='
/usr/sbin/nginx                            nginx
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
/usr/sbin/proftpd                          proftpd-core
/usr/lib/proftpd/mod_tls.so                proftpd-mod-crypto
/usr/sbin/postqueue                        postfix
/usr/lib/*/sasl2/libplain.so               libsasl2-modules
/etc/ssl/certs/ca-certificates.crt         ca-certificates
'

# Prints the mail server of the operator's that Debian does not install beside Postfix.
other_mail_server() {
  local package
  for package in exim4-daemon-light exim4-daemon-heavy opensmtpd sendmail-bin nullmailer msmtp-mta ssmtp dma courier-mta \
    esmtp-run citadel-server qmail-run masqmail; do
    if dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed; then
      printf '%s\n' "$package"
      return
    fi
  done
  return 1
}

missing_packages() {
  local pattern package
  while read -r pattern package; do
    [ -n "$pattern" ] || continue
    # The operator's mail server stays. Accounts then send no mail.
    [ "$package" != postfix ] || ! other_mail_server >/dev/null || continue
    compgen -G "$pattern" >/dev/null || printf '%s\n' "$package"
  done <<<"$NEEDED" | sort -u
}

ensure_packages() {
  local missing
  missing=$(missing_packages | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  export DEBIAN_FRONTEND=noninteractive
  mkdir -p "$STATE"
  installed_packages >"$STATE/packages-before"
  # Its package starts Debian's own FTP server at once: without TLS, and open to every user of this server.
  case " $missing" in
    *' proftpd-core '*)
      systemctl mask proftpd.service
      touch "$STATE/masked-ftp"
      ;;
    *) ;;
  esac
  # Packages create these and leave them when they are purged.
  [ -e /etc/aliases ] || touch "$STATE/no-aliases"
  getent group ssl-cert >/dev/null || touch "$STATE/no-ssl-cert"
  # Without an answer Debian's Postfix would listen on port 25 for everybody.
  case " $missing" in
    *' postfix '*) echo 'postfix postfix/main_mailer_type select No configuration' | debconf-set-selections ;;
  esac
  # shellcheck disable=SC2086
  apt-get install -y --no-install-recommends $missing ||
    { apt-get update && apt-get install -y --no-install-recommends $missing; } ||
    fail "apt-get could not install these packages: ${missing% }. Run \"apt-get install ${missing% }\" to see the reason, and run the installer again when it succeeds."
  # --purge-packages removes them, with what came along.
  installed_packages | LC_ALL=C comm -13 "$STATE/packages-before" - >>"$STATE/packages"
  rm "$STATE/packages-before"
  did "installed $missing"
}

installed_packages() {
  dpkg-query -W -f '${db:Status-Abbrev} ${binary:Package}\n' | sed -n 's/^ii *//p' | LC_ALL=C sort
}
