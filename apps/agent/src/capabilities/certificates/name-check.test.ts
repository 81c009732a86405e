import { expect, test } from 'vitest';
import { NameLeadsHere } from './name-check.ts';

const written: string[] = [];
const challenges = {
  write: async (token: string) => void written.push(token),
  remove: async () => {},
} as never;

/** Returns why the name is refused. Every refusal happens before a challenge file is written. */
async function refusal(addresses: string[], publicAddresses: string[]): Promise<string> {
  const names = new NameLeadsHere(publicAddresses, challenges, async () => addresses);
  const error: unknown = await names.check('demo.example.com').catch((reason: unknown) => reason);
  expect(written).toEqual([]);
  return (error as Error).message;
}

test('the sentence names the addresses that a name has and those that it should have', async () => {
  expect(await refusal([], ['203.0.113.7'])).toBe(
    'demo.example.com has no address; it should have 203.0.113.7.',
  );
  expect(await refusal(['198.51.100.1', '2001:db8::2'], ['203.0.113.7', '2001:db8::1'])).toBe(
    'demo.example.com has the addresses 198.51.100.1 and 2001:db8::2; it should have 203.0.113.7 or 2001:db8::1.',
  );
});

test('loopback does not count as this server’s address', async () => {
  expect(await refusal(['127.0.0.1', '::1'], ['203.0.113.7'])).toContain('it should have 203.0.113.7');
});
