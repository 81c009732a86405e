import type { Box } from '@innkeeper/testkit/machine';

/** Everything that an installation may change and a removal must give back, a line each. */
const SHOW_STATE = `
cd /
find etc usr opt var home -xdev -not -path 'var/lib/apt/*' -not -path 'var/cache/*' -not -path 'var/log/*' \
  -not -path 'var/lib/systemd/*' -not -path 'var/lib/pam/*' -not -path 'var/lib/mysql/*' -not -path 'var/lib/dpkg/*' \
  -not -path 'var/tmp/systemd-private-*' -not -path 'var/lib/php/sessions/*' -not -name '*-' -printf 'file %p %m %u %g %l\\n' | sort
find etc usr/lib/systemd usr/lib/innkeeper usr/share/pam-configs -type f -not -name '*-' -exec md5sum {} + | sort -k 2
dpkg-query -W -f 'package \${binary:Package} \${Version} \${db:Status-Abbrev}\\n' | sort
systemctl list-unit-files --no-legend --no-pager | awk '{ print "unit", $1, $2 }' | sort
systemctl list-units --type=service --state=active --no-legend --plain |
  awk '{ print "active", $1 }' | grep -v '@\\|systemd-\\|e2scrub\\|logrotate\\|dpkg-db\\|phpsessionclean' | sort
cut -d : -f 1,3,4,6,7 /etc/passwd | sed 's/^/user /' | sort
cut -d : -f 1,3,4 /etc/group | sed 's/^/group /' | sort
sysctl -a 2>/dev/null | grep '^fs.protected_\\|^net.ipv4.ip_unprivileged\\|^kernel.yama\\|^kernel.unprivileged' | sort
findmnt --noheadings --output TARGET,OPTIONS /proc
nft list tables 2>/dev/null | sed 's/^/nftables /'
true
`;

/**
 * Returns the names, modes, owners and contents of files, the packages, units, services, users, groups and settings of a
 * server. Two values can be compared.
 */
export async function serverState(box: Box): Promise<string[]> {
  return (await box.require(['bash', '-c', SHOW_STATE])).split('\n');
}

/** Returns the lines that only one of two states has, with `-` (gone) or `+` (new) before them. */
export function differences(before: readonly string[], after: readonly string[]): string[] {
  const [old, fresh] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !fresh.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ];
}
