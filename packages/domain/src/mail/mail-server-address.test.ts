import { expect, it } from 'vitest';
import { isLoopbackAddress, isMailServerAddress } from './mail-server-address.ts';

it.each([
  '203.0.114.25',
  '10.0.0.25',
  '192.168.1.25',
  '100.64.0.1',
  '127.0.0.1',
  '::1',
  '2a00:1450::25',
  'fd00::25',
])('a mail server may have the address %s', (address) => {
  expect(isMailServerAddress(address)).toBe(true);
});

it.each([
  '169.254.169.254',
  'fe80::1',
  '::ffff:169.254.169.254',
  '224.0.0.1',
  'ff02::1',
  '0.0.0.0',
  '::',
  '255.255.255.255',
  'mail.example.com',
  '',
])('a mail server may not have the address %j', (address) => {
  expect(isMailServerAddress(address)).toBe(false);
});

it('loopback is 127.0.0.0/8 and ::1, also when it is written as IPv6', () => {
  for (const own of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
    expect(isLoopbackAddress(own)).toBe(true);
  for (const other of ['10.0.0.1', 'localhost', '128.0.0.1', '::2', ''])
    expect(isLoopbackAddress(other)).toBe(false);
});
