# shellcheck shell=bash
# Mail that hosting accounts send. Sourced by install.sh.

SENDMAIL=/usr/sbin/sendmail
# Where dpkg places the sendmail of a package while ours has its name.
DIVERTED=/usr/sbin/sendmail.distrib
OURS=/usr/lib/innkeeper/sendmail

ensure_mail() {
  rest_debian_postfix
  divert_sendmail
  systemctl is-enabled --quiet innkeeper-mail.socket || systemctl enable innkeeper-mail.socket
  if ! systemctl is-active --quiet innkeeper-mail.socket || changed /etc/systemd/system/innkeeper-mail.socket; then
    systemctl stop innkeeper-mail.service
    systemctl restart innkeeper-mail.socket
    did 'accounts can give mail to this server'
  elif changed /usr/lib/innkeeper/submit-mail /etc/systemd/system/innkeeper-mail.service; then
    # The socket keeps connections that arrive meanwhile.
    systemctl try-restart innkeeper-mail.service
  fi
  systemctl is-enabled --quiet innkeeper-postfix || systemctl enable innkeeper-postfix
  if changed /etc/systemd/system/innkeeper-postfix.service; then systemctl try-restart innkeeper-postfix; fi
}

# Debian's own instance has nothing to do without a configuration, and would fail at each boot.
rest_debian_postfix() {
  [ ! -e /etc/postfix/main.cf ] || return 0
  systemctl is-enabled --quiet postfix || return 0
  systemctl disable --now postfix
  printf 'postfix\n' >>"$STATE/disabled"
  did 'disabled the Postfix of Debian, which has no configuration'
}

# Programs of accounts find sendmail at this path. Everybody else still gets the one of the server's own mail system.
divert_sendmail() {
  if ! dpkg-divert --list "$SENDMAIL" | grep -q "$DIVERTED"; then
    dpkg-divert --local --quiet --rename --divert "$DIVERTED" --add "$SENDMAIL"
    did "placed sendmail for accounts; that of a package is now $DIVERTED"
  fi
  ! swap_link "$OURS" "$SENDMAIL" || did 'selected sendmail for accounts'
}

remove_mail() {
  systemctl disable --now innkeeper-mail.socket innkeeper-mail.service innkeeper-postfix || true
  if [ "$(readlink "$SENDMAIL")" = "$OURS" ]; then rm -f "$SENDMAIL"; fi
  if dpkg-divert --list "$SENDMAIL" | grep -q "$DIVERTED"; then
    dpkg-divert --local --quiet --rename --remove "$SENDMAIL"
    did 'restored sendmail'
  fi
  if [ -e "$STATE/disabled" ]; then
    while read -r unit; do systemctl enable "$unit" || true; done <"$STATE/disabled"
    rm "$STATE/disabled"
  fi
  # The queue has mail of accounts, which are gone.
  rm -rf --one-file-system /var/spool/innkeeper-postfix /var/lib/innkeeper-postfix /var/lib/innkeeper-mail
}

# After the files of sysusers are gone.
remove_mail_user() {
  ! getent passwd innkeeper-mail >/dev/null || userdel innkeeper-mail
  ! getent group innkeeper-mail >/dev/null || groupdel innkeeper-mail
  # Created for the membership, where Postfix was never installed.
  if getent group postdrop >/dev/null && [ ! -e /usr/sbin/postqueue ]; then groupdel postdrop; fi
}
