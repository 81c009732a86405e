import { expect, test } from 'vitest';
import { FEWEST_ROUNDS, sha512Crypt } from './sha512-crypt.ts';

/** Expected values from `openssl passwd -6 -salt SALT PASSWORD` (OpenSSL 3.0). */
test.each([
  [
    'Hello world!',
    'saltstring',
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  ],
  [
    'pässwörd😀',
    'Ab./9',
    '$6$Ab./9$Fsy3EdqgIT72agEOLfKceyJM4zmy8ywGHKPwx5Glh.zoYPXEFTV/K6WUGb6rcCnjf4PsRIEC33Ug3rOezwrSS/',
  ],
  [
    'a'.repeat(8),
    'saltsalt',
    '$6$saltsalt$6i27wpjeOp0wQMCGqfaGzOan.gskXKBymcG60Mt1v2psSQ7u0JTOD16DpUDWsQqCWshgQv7kXBHM.5JwzOGwE0',
  ],
  [
    'a'.repeat(63),
    'saltsalt',
    '$6$saltsalt$H8TWMaGNaWIlbCN.ve/rdRsHfqIqWBb7.bA3AXhg.LxuC9tFTrOvR1WclafJTyj/sTvPMjtI7XRtWpuVYDqys.',
  ],
  [
    'a'.repeat(64),
    'saltsalt',
    '$6$saltsalt$dLW1aYM9zDeSwgYsFmvdxmhFQ.ehaT6i5XzWyeDv4Z677.mp/Lc.0XPmnwvDvk6TP4Px9uVPQy2OHM2Vxg9vW/',
  ],
  [
    'a'.repeat(65),
    'saltsalt',
    '$6$saltsalt$qNt916Rh0P5wL50iabOONrr/KH9J4hbKScawgpb81l7x3J4fOlwuRI5j6qPyDTzuyptnpvqEknZr2JoP5XoUq0',
  ],
  [
    'a'.repeat(128),
    'saltsalt',
    '$6$saltsalt$6ODW6HzfbdznOq3FsAj6QG5lk3oCMz7YjT5HnVY1E.QlAs3VXZ2Yva8VSz2vuZOifcpDkPbiV2fw3NJDv1nDn0',
  ],
])('%s with the salt %s gives the hash that crypt(3) gives', async (password, salt, hash) => {
  expect(await sha512Crypt(password, salt)).toBe(hash);
});

test('the event loop runs other work while a hash is computed', async () => {
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await sha512Crypt('a'.repeat(511), 'saltsalt');
  done = true;
  expect(turns).toBeGreaterThan(10);
});

/** Expected value from crypt(3) of libxcrypt. */
test('a hash with fewer rounds names their number', async () => {
  expect(await sha512Crypt('Hello world!', 'saltstring', FEWEST_ROUNDS)).toBe(
    '$6$rounds=1000$saltstring$Zu2Vknok2/f53APfN687ADnzeNBLcsEgTwvcBHMD2./07rZQAt8vsuKVufD15dyZh.LOLB/uZKf6I3GyON4bp/',
  );
});
