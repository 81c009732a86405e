import type { AccountSpec } from '@innkeeper/protocol';
import type { Box } from '@innkeeper/testkit/machine';

/**
 * Returns everything in a box that belongs to an account or refers to it. It must be empty once the account is gone.
 */
export async function findRemains(
  box: Box,
  { uid, linux_user }: AccountSpec,
  names: string[],
): Promise<string[]> {
  const everywhere = ['/', '/home', '/run', '/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue'];
  const searches: string[][] = [
    ['getent', 'passwd', linux_user, String(uid)],
    ['getent', 'group', linux_user, String(uid)],
    ['grep', '-l', `^${linux_user}:`, '/etc/passwd', '/etc/shadow', '/etc/group', '/etc/gshadow'],
    ['find', ...everywhere, '-xdev', '(', '-uid', String(uid), '-o', '-gid', String(uid), ')'],
    ['find', '/etc', '/run', '/var/lib/innkeeper', '/home', '-name', `*${uid}*`],
    ['find', '/etc/innkeeper/sites', '-lname', `${uid},*`],
    [
      'grep',
      '-rlE',
      // Random letters of a key may spell a short name. The check above covers the names of those files.
      '--exclude=*.pem',
      // It contains the ranges of uids.
      '--exclude=firewall.nft',
      [String(uid), linux_user, ...names].join('|'),
      '/etc/nginx',
      '/etc/innkeeper',
    ],
    ['grep', '-E', `elements = .*\\b${uid}\\b`, '/etc/innkeeper/firewall.nft'],
    ['nft', 'get', 'element', 'inet', 'innkeeper', 'smtp', '{', String(uid), '}'],
    ['systemctl', 'list-units', '--all', '--plain', '--no-legend', `*${uid}*`],
    ['systemctl', 'list-unit-files', '--plain', '--no-legend', `*${uid}*`],
    ['find', '/sys/fs/cgroup', '-name', `user-${uid}.slice`],
    ['pgrep', '--uid', String(uid)],
    [
      'mariadb',
      '-Ne',
      `select schema_name from information_schema.schemata where schema_name like '${linux_user}\\_%'
       union select concat(User, '@', Host) from mysql.global_priv where User like '${linux_user}\\_%'
       union select concat(User, '@', Host) from mysql.db where User like '${linux_user}\\_%'
       union select name from innkeeper_agent.databases where uid = ${uid}`,
    ],
    ['find', `/home/${linux_user}`, `/var/mail/${linux_user}`, `/var/spool/cron/crontabs/${linux_user}`],
  ];
  const found = await Promise.all(
    searches.map(async (argv) => {
      const { stdout } = await box.exec(argv);
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [`${argv[0]}: ${line}`]));
    }),
  );
  return found.flat();
}
