#!/usr/bin/env bash
#
# rehearse.sh RELEASE: tests the configuration of nginx, sshd and PAM with the release's files, and prints a finding a
# line (check.sh). It runs in a mount namespace of its own, in which /etc and what these programs write are copies in
# memory. So nothing of it reaches the server.
set -u
SOURCE=$1
. "$SOURCE/lib/system.sh"

found() { printf '%s\t%s\t%s\n' "$1" "$2" "$3"; }

copy_to_memory() {
  mount -t tmpfs -o size=512m,mode=755 tmpfs /mnt
  local folder
  for folder in /etc /usr/share/pam-configs /var/lib/pam /var/cache/debconf; do
    [ -d "$folder" ] || continue
    mkdir -p "/mnt$folder"
    cp -a "$folder/." "/mnt$folder/"
    mount --bind "/mnt$folder" "$folder"
  done
  # Logs of nginx: their folders must exist, and their files are created.
  mkdir -p /mnt/log /mnt/run/sshd
  (cd /var/log && find . -type d -print0) | (cd /mnt/log && xargs -0 mkdir -p innkeeper)
  mount --bind /mnt/log /var/log
  mount --bind /mnt/run /run
  cp -R --preserve=mode "$SOURCE/files/etc/." /etc/
  cp -R --preserve=mode "$SOURCE/files/usr/share/pam-configs/." /usr/share/pam-configs/
}

rehearse_nginx() {
  local reason default=/etc/nginx/sites-enabled/default
  [ -x /usr/sbin/nginx ] && [ -e /etc/nginx/nginx.conf ] || return 0
  if ! reason=$(fail() { printf '%s' "$1" && exit 1; } && check_nginx_main); then
    found refused nginx "${reason% and run the installer again.}."
    return
  fi
  [ "$(readlink "$default")" != /etc/nginx/sites-available/default ] || rm "$default"
  if reason=$(/usr/sbin/nginx -t 2>&1); then
    found change nginx 'serves hosting accounts beside your sites, and is reloaded'
  else
    found refused nginx "nginx would reject its configuration together with Innkeeper's: $(sed -nE 's/^.*\[emerg\] ([0-9]+#[0-9]+: )?//p' <<<"$reason" | head -n 1). Change your configuration: Innkeeper's server is the default server of ports 80 and 443."
  fi
}

rehearse_ssh() {
  local reason effective
  [ -x /usr/sbin/sshd ] && [ -e /etc/ssh/sshd_config ] || return 0
  if ! reason=$(/usr/sbin/sshd -t 2>&1); then
    found refused ssh "sshd would reject its configuration: $(head -n 1 <<<"$reason"). Correct /etc/ssh/sshd_config."
    return
  fi
  effective=$(/usr/sbin/sshd -T -C user=nobody,host=localhost,addr=127.0.0.1 2>/dev/null)
  if ! grep -qx 'allowtcpforwarding no' <<<"$effective"; then
    found refused ssh '/etc/ssh/sshd_config does not include /etc/ssh/sshd_config.d/*.conf before its own rules, so the rules for accounts would have no effect. Add "Include /etc/ssh/sshd_config.d/*.conf" as its first line.'
  elif ! grep -qx 'usepam yes' <<<"$effective"; then
    found refused ssh 'sshd does not use PAM, so sessions of accounts would have no limits. Set "UsePAM yes" in /etc/ssh/sshd_config.'
  else
    found change ssh 'gets rules for accounts and is reloaded; root and users below uid 20000 keep theirs'
  fi
}

rehearse_pam() {
  local file
  [ -x /usr/sbin/pam-auth-update ] || return 0
  DEBIAN_FRONTEND=noninteractive pam-auth-update --package --enable innkeeper innkeeper-logins >/dev/null 2>&1 </dev/null
  file=$(pam_files_without_innkeeper)
  if [ -n "$file" ]; then
    found refused pam "Somebody edited $file by hand, so pam-auth-update does not change it. Run \"pam-auth-update --force\", which discards these edits, or undo them."
    return
  fi
  found change pam 'sessions of accounts start in their slice'
}

copy_to_memory || { found note rehearsal 'The configuration of nginx, sshd and PAM could not be tested beforehand.' && exit; }
rehearse_nginx
rehearse_ssh
rehearse_pam
