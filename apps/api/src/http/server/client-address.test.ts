import { describe, expect, it } from 'vitest';
import { createClientAddress, createIsSecure } from './client-address.ts';

describe('the client’s address', () => {
  const behindNothing = createClientAddress([]);
  const behindProxies = createClientAddress(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);

  it('without a configured proxy it is the peer’s address, whatever the forwarded headers contain', () => {
    expect(behindNothing('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
    expect(behindNothing('::ffff:203.0.113.9', undefined)).toBe('203.0.113.9');
  });

  it('it is the peer’s address if the peer is not a configured proxy', () => {
    expect(behindProxies('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
  });

  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['1.1.1.1, 198.51.100.1, 10.9.9.9 , 2001:DB8::5', '198.51.100.1'],
    ['10.1.1.1', '10.1.1.1'],
    ['198.51.100.1, unknown', '192.0.2.1'],
    ['198.51.100.1:1234', '192.0.2.1'],
    ['', '192.0.2.1'],
    [undefined, '192.0.2.1'],
  ])('behind a proxy that forwards %j it is %s', (forwardedFor, expected) => {
    expect(behindProxies('::ffff:192.0.2.1', forwardedFor)).toBe(expected);
  });

  it.each([
    // The client claims to be an allowed address; its real address follows.
    ['198.51.100.7, 203.0.113.66', '203.0.113.66'],
    // The client claims to be one of the proxies, or a chain of them.
    ['10.0.0.9, 203.0.113.66', '203.0.113.66'],
    ['198.51.100.7, 10.0.0.9, 203.0.113.66, 10.0.0.8', '203.0.113.66'],
    // IPv4-mapped IPv6 addresses, of proxies and clients alike.
    ['::ffff:203.0.113.66, ::ffff:10.0.0.8, ::FFFF:0a00:0007', '203.0.113.66'],
    ['2001:DB8:FFFF::1, 2001:db9:0::66, 2001:db8::1', '2001:db9::66'],
    // An unreadable entry ends the chain at the proxy that added it.
    ['198.51.100.7, , 10.0.0.8', '10.0.0.8'],
    ['198.51.100.7, _hidden, 10.0.0.8', '10.0.0.8'],
    ['[2001:db9::66]:443, 10.0.0.8', '10.0.0.8'],
    ['fe80::1%eth0, 10.0.0.8', '10.0.0.8'],
    ['198.51.100.7, 0x0a.0.0.8', '192.0.2.1'],
    [Array.from({ length: 1_000 }, () => '10.0.0.1').join(','), '10.0.0.1'],
  ])('behind several proxies that forward %.60s it is %s', (forwardedFor, expected) => {
    expect(behindProxies('192.0.2.1', forwardedFor)).toBe(expected);
  });

  it('it is the peer’s address if the peer is outside the proxy ranges, even if the chain names proxies', () => {
    expect(behindProxies('192.0.2.2', '198.51.100.7, 10.0.0.8')).toBe('192.0.2.2');
  });

  it('it is empty for a closed connection', () => {
    expect(behindProxies(undefined, '198.51.100.1')).toBe('');
  });
});

describe('HTTPS', () => {
  const isSecure = createIsSecure(['10.0.0.0/8']);

  it('without a proxy the connection’s own protocol counts', () => {
    expect(isSecure('203.0.113.9', true, undefined)).toBe(true);
    expect(isSecure('203.0.113.9', false, 'https')).toBe(false);
    expect(isSecure('203.0.113.9', true, 'http')).toBe(true);
    expect(createIsSecure([])('10.0.0.1', false, 'https')).toBe(false);
    expect(isSecure(undefined, false, 'https')).toBe(false);
  });

  it.each([
    ['https', true],
    ['HTTPS ', true],
    ['http, https', true],
    ['https, http', false],
    ['http', false],
    ['', false],
    ['httpsx', false],
  ])('behind a proxy that forwards the protocol %j it is %s', (said, expected) => {
    expect(isSecure('::ffff:10.1.2.3', false, said)).toBe(expected);
    expect(isSecure('10.1.2.3', true, said)).toBe(expected);
  });

  it('behind a proxy that sends no forwarded protocol the connection’s own protocol counts', () => {
    expect([isSecure('10.1.2.3', true, undefined), isSecure('10.1.2.3', false, undefined)]).toEqual([
      true,
      false,
    ]);
  });
});
