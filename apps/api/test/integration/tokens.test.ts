import { subjects } from '@innkeeper/protocol';
import { readNatsCredentials } from '@innkeeper/protocol/keys';
import { createToken, revokeToken } from '@innkeeper/services';
import { waitUntil } from '@innkeeper/testkit';
import { connect, credsAuthenticator } from 'nats';
import { expect, it } from 'vitest';
import { useControlPlaneRig } from './control-plane-rig.ts';

const rig = useControlPlaneRig();

const newToken = (
  more: { abilities?: string[]; preset?: string; allowed_ips?: string } = { abilities: ['*'] },
) => createToken(rig.operator, { user: 'root-admin', name: 'new', ...more });
const me = (token: string, headers: Record<string, string> = {}) => rig.ask('me', { token, headers });

it('a token shows its user, its name and its abilities', async () => {
  const { plain_token, token } = await newToken({ preset: 'read_only' });
  const { body } = await me(plain_token);
  expect(body).toMatchObject({
    status: 'ok',
    authenticated: true,
    user: { username: 'root-admin', role: 'admin' },
    token: { id: token.id, name: 'new', preset: 'read_only' },
  });
  expect(body.token.abilities).toContain('accounts:read');
  expect(body.token.abilities.filter((ability: string) => ability.endsWith(':write'))).toEqual([]);
});

it('a revoked token stops within 5 s without a message', async () => {
  const { plain_token, token } = await newToken();
  expect((await me(plain_token)).status).toBe(200);
  await revokeToken(rig.operator, { token_id: token.id });
  const revokedAt = performance.now();
  await waitUntil('the refusal', async () => (await me(plain_token)).status === 401, {
    timeoutMs: 6_000,
    everyMs: 100,
  });
  expect(performance.now() - revokedAt).toBeLessThan(5_500);
});

it('a revoked token stops at once after a NATS message', async () => {
  const { plain_token, token } = await newToken();
  expect((await me(plain_token)).status).toBe(200);
  await revokeToken(rig.operator, { token_id: token.id });
  const { credentials, caPem } = readNatsCredentials(rig.nats.keysDir);
  const connection = await connect({
    servers: rig.nats.url,
    tls: { ca: caPem },
    authenticator: credsAuthenticator(credentials),
  });
  connection.publish(subjects.tokenRevoked, JSON.stringify({ token_id: token.id }));
  await connection.drain();
  await waitUntil('the refusal', async () => (await me(plain_token)).status === 401, { timeoutMs: 1_000 });
});

it('malformed NATS messages change nothing', async () => {
  const { credentials, caPem } = readNatsCredentials(rig.nats.keysDir);
  const connection = await connect({
    servers: rig.nats.url,
    tls: { ca: caPem },
    authenticator: credsAuthenticator(credentials),
  });
  for (const text of ['', 'x', '{}', '[]', '{"token_id":"1"}']) {
    connection.publish(subjects.tokenRevoked, text);
    connection.publish(subjects.accountObserved(1), text);
  }
  await connection.drain();
  expect((await me(rig.adminToken)).status).toBe(200);
});

it('a token works only from its addresses, and only a configured proxy may forward them', async () => {
  const { plain_token } = await newToken({ abilities: ['*'], allowed_ips: '198.51.100.0/24; 2001:db8::/32' });
  expect((await me(plain_token)).status).toBe(403);
  expect((await me(plain_token, { 'X-Forwarded-For': '198.51.100.7' })).status).toBe(200);
  expect((await me(plain_token, { 'X-Forwarded-For': '2001:db8::7' })).status).toBe(200);
  expect((await me(plain_token, { 'X-Forwarded-For': '198.51.100.7, 203.0.113.1' })).status).toBe(403);
});

it('the check of addresses accepts every notation, and ignores what a client forwards itself', async () => {
  const { plain_token } = await newToken({ abilities: [], allowed_ips: '::ffff:198.51.100.7;2001:DB8::/33' });
  const statusFrom = async (forwardedFor: string) =>
    (await me(plain_token, { 'X-Forwarded-For': forwardedFor })).status;
  for (const allowed of [
    '198.51.100.7',
    '::ffff:198.51.100.7',
    '203.0.113.5, 2001:db8:7fff::1',
    '::FFFF:c633:6407',
  ])
    expect(await statusFrom(allowed), allowed).toBe(200);
  for (const refused of [
    '198.51.100.8',
    '2001:db8:8000::1',
    '198.51.100.7, 203.0.113.5',
    '198.51.100.7, unknown',
    '198.51.100.7:443',
    '',
  ])
    expect(await statusFrom(refused), refused).toBe(403);
  const { body } = await me(plain_token, { Forwarded: 'for=198.51.100.7', 'X-Real-IP': '198.51.100.7' });
  expect(body).toEqual({ message: 'This API token is not allowed from your IP address.' });
});

it('the API stores when and from where a token was used', async () => {
  const { plain_token, token } = await newToken();
  await me(plain_token, { 'X-Forwarded-For': '203.0.113.77' });
  await waitUntil('the note', async () => {
    const row = await rig.db
      .selectFrom('api_tokens')
      .selectAll()
      .where('id', '=', token.id)
      .executeTakeFirst();
    return row?.last_used_ip === '203.0.113.77';
  });
});
