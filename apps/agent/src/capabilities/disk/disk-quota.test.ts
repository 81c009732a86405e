import { expect, test } from 'vitest';
import { mountOf, parseReport } from './disk-quota.ts';

test('reads usage and limits by uid, in bytes', () => {
  const report =
    'User,BlockStatus,FileStatus,BlockUsed,BlockSoftLimit,BlockHardLimit,BlockGrace,FileUsed,FileSoftLimit,FileHardLimit,FileGrace\n' +
    '#0,ok,ok,20,0,0,,2,0,0,\n#20001,ok,ok,4,0,20480,,1,0,0,\n#20002,ok,soft,8,100,200,7days,1,0,0,\n';
  expect(parseReport(report)).toEqual(
    new Map([
      [0, { stored: 20 * 1_024, limit: undefined }],
      [20_001, { stored: 4 * 1_024, limit: 20_480 * 1_024 }],
      [20_002, { stored: 8 * 1_024, limit: 200 * 1_024 }],
    ]),
  );
});

test('a folder belongs to the nearest mount above it, and to the last of several at one point', () => {
  const lines = [
    '21 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw',
    '30 21 254:17 / /home rw,relatime shared:2 - ext4 /dev/vdb rw,quota',
    '31 21 0:30 / /homes rw - tmpfs tmpfs rw',
    '32 21 254:33 / /home rw,relatime - xfs /dev/vdc rw,usrquota',
    '33 32 0:31 / /home/demo/mnt rw - fuse.sshfs demo rw',
  ].join('\n');
  expect(mountOf('/home', lines)).toEqual({ point: '/home', device: '/dev/vdc', fileSystem: 'xfs' });
  expect(mountOf('/var/home', lines)).toEqual({ point: '/', device: '/dev/vda1', fileSystem: 'ext4' });
  expect(mountOf('/home', '')).toBeUndefined();
});
