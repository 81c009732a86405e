import type { Box } from '@innkeeper/testkit';

const TRACES = `
  getent passwd "$1" "$2"; getent group "$1" "$2"
  find / -xdev \\( -uid "$2" -o -gid "$2" \\) -not -path '/proc/*' 2>/dev/null
  find /home /run /tmp /var/tmp /dev/shm \\( -uid "$2" -o -gid "$2" -o -name "$1" \\) 2>/dev/null
  # The number itself, and not a longer one that has its digits.
  named="(.*[^0-9])?$2([^0-9/][^/]*)?"
  find /etc /run /var -regextype posix-extended -not -path '/run/log/*' -regex "$named" -not -path '/var/log/*' 2>/dev/null
  find /etc/innkeeper/sites -lname "$2,*"
  find /sys/fs/cgroup -regextype posix-extended -regex "$named" 2>/dev/null
  # The firewall names the ranges of uids.
  # Random letters of somebody's key may spell a short name; those files are told by theirs, above.
  grep -rsI --exclude='*.pem' --exclude=firewall.nft -e "$1" -e "\\b$2\\b" /etc/nginx /etc/innkeeper /etc/passwd* /etc/shadow* /etc/group* /etc/gshadow* /etc/cron.d /var/spool
  systemctl list-units --all --plain --no-legend "*$2*" | grep -E "(^|[^0-9])$2([^0-9]|$)"
  ls -d "/var/mail/$1" "/var/spool/cron/crontabs/$1" "/var/lib/systemd/linger/$1" 2>/dev/null
  true`;

/**
 * Returns everything that an account with this name and uid has left on a hosting server, one line each. Empty if there
 * is nothing.
 */
export async function findTraces(box: Box, username: string, uid: number): Promise<string> {
  return await box.require(['bash', '-c', TRACES, 'traces', username, String(uid)]);
}
