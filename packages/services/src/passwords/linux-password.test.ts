import { accountSpecSchema } from '@innkeeper/protocol';
import { expect, test } from 'vitest';
import { hashLinuxPassword } from './linux-password.ts';
import { sha512Crypt } from './sha512-crypt.ts';

test('each hash of a password has another salt, in the format that the agent accepts', async () => {
  const [one, other] = await Promise.all([hashLinuxPassword('secret 123'), hashLinuxPassword('secret 123')]);
  expect(one).not.toBe(other);
  expect(accountSpecSchema.shape.password_hash.safeParse(one).success).toBe(true);
  expect(await sha512Crypt('secret 123', one.split('$')[2] ?? '')).toBe(one);
});
