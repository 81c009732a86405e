import type { Guest } from '@innkeeper/testkit/machine';

/** Folder of canaries, the targets of attackers. */
export const CANARIES = '/etc/innkeeper-canaries';

const folders = [
  CANARIES,
  '/root/innkeeper-canaries',
  '/home/.innkeeper-canaries',
  '/opt/innkeeper/canaries',
  '/usr/local/innkeeper-canaries',
  '/var/lib/innkeeper/agent/canaries',
  '/home/.innkeeper-tmp/canaries',
  '/var/log/innkeeper/canaries',
];
const files = [
  ...[
    '/etc',
    '/root',
    '/home',
    '/run',
    '/run/lock',
    '/tmp',
    '/var/tmp',
    '/dev/shm',
    '/opt/innkeeper',
    '/srv',
  ].map((folder) => `${folder}/innkeeper-canary`),
  '/home/.innkeeper-canary',
  '/var/spool/cron/crontabs/innkeeper-canary',
  '/var/mail/innkeeper-canary',
  '/var/lib/php/sessions/innkeeper-canary',
  '/var/lib/innkeeper/agent/innkeeper-canary',
];

/** Creates root-owned files where an attack could reach them. Some are readable for all. */
export async function plantCanaries(guest: Guest): Promise<void> {
  const script = `umask 077
for folder in ${folders.join(' ')}; do mkdir -p $folder; echo kept > $folder/x; done
for file in ${files.join(' ')}; do echo kept > $file; done
chmod 644 /home/.innkeeper-canary /etc/innkeeper-canary
chmod 755 /home/.innkeeper-canaries; chmod 644 /home/.innkeeper-canaries/x`;
  await guest.require(['sh', '-ec', script]);
}

/** Returns existence, inode, mode, owner, size and content of every canary and of the user database files. */
export async function seeCanaries(guest: Guest): Promise<string> {
  const script = `find ${folders.join(' ')} ${files.join(' ')} -printf '%p %i %m %U %G %s\\n' | sort
cat ${files.join(' ')} ${folders.map((folder) => `${folder}/x`).join(' ')}
stat -c '%n %a %u %g' / /etc /root /home /var /var/lib /var/lib/innkeeper/* /opt /opt/innkeeper /usr/local /etc/passwd /etc/shadow`;
  return await guest.require(['sh', '-ec', script]);
}
