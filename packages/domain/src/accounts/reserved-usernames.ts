/**
 * Names of users and groups that a Debian server has, or gets with the software that runs beside sites. An account with
 * such a name would be a member of the group, or would become one when the next package is installed. Nodes report
 * further names of their own.
 */
const reservedUsernames: ReadonlySet<string> = new Set(
  `
  root daemon bin sys sync games man lp mail news uucp proxy www-data backup list irc gnats nobody nogroup _apt
  adm tty disk kmem dialout fax voice cdrom floppy tape sudo audio dip operator src shadow utmp video sasl
  plugdev staff users input sgx kvm render wheel crontab ssh ssl-cert netdev bluetooth scanner lpadmin
  messagebus dbus polkitd rtkit avahi colord geoclue pulse saned sshd _ssh syslog systemd-network systemd-resolve
  systemd-timesync systemd-journal systemd-coredump systemd-oom tss uuidd tcpdump _chrony chrony ntp ntpsec
  landscape lxd incus docker podman libvirt libvirt-qemu haldaemon halt shutdown reboot
  mysql mariadb postgres redis valkey memcache memcached mongodb rabbitmq nats influxdb elastic opensearch
  nginx apache apache2 httpd caddy haproxy varnish squid tomcat php-fpm wwwrun unbound bind named pdns powerdns dnsmasq
  postfix postdrop exim debian-exim dovecot dovenull courier vmail opendkim opendmarc rspamd _rspamd spamd amavis clamav
  ftp proftpd pure-ftpd vsftpd git gitlab-runner jenkins prometheus grafana node-exp telegraf zabbix nagios munin icinga
  fail2ban crowdsec logcheck postgrey policyd mailman smmta smmsp certbot acme letsencrypt
  innkeeper innkeeper-api innkeeper-agent innctl
  `
    .trim()
    .split(/\s+/),
);

/** Whether a username is reserved for the system and cannot be an account's. */
export function isReservedUsername(username: string): boolean {
  return reservedUsernames.has(username);
}
