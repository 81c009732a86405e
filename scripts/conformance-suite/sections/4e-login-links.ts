import { setTimeout as delay } from 'node:timers/promises';
import { clause, expectThat, section } from '../clause.ts';
import { expectInvalid, expectMessage } from '../errors.ts';
import { appCreated, domainCreated, mainId, packagedId, roomyId } from '../fixtures.ts';
import { changed, follow, link, signedUrl } from '../login-link.ts';
import { skip } from '../outcome.ts';

/** Targets without a condition: all except `terminal`, which requires a right, and `app`, which requires an app. */
const PLAIN_TARGETS = ['dashboard', 'apps', 'domains', 'databases', 'cron', 'files', 'backups'];

export const loginLinks = [
  section(
    '4.15',
    'POST /accounts/{id}/login-link',
    clause(
      'An empty body means the dashboard; answers login_url, expires_in 300, user and target',
      async (world) => {
        const answer = (await link(world)).expect(200).expectAt('data.target', 'dashboard');
        answer.expectAt('data.expires_in', 300).expectAt('data.user_username', world.username('main'));
        answer
          .expectAt('data.user_email', `${world.prefix}@example.com`)
          .expectShape('data.login_url', 'string');
      },
    ),
    ...PLAIN_TARGETS.map((target) =>
      clause(`target ${target} is accepted`, async (world) => {
        (await link(world, { target })).expect(200).expectAt('data.target', target);
      }),
    ),
    clause('target terminal is accepted with terminal_access', async (world) => {
      const id = await world.once('an account with a terminal', async () => {
        const shown = await world.api.get(`/accounts/${await mainId(world)}`);
        if (shown.at('data.terminal_access') !== true) skip('the main account has no terminal_access');
        return shown.id();
      });
      const answer = await world.api.post(`/accounts/${id}/login-link`, { target: 'terminal' });
      answer.expect(200).expectAt('data.target', 'terminal');
    }),
    clause('target app is accepted with an app_id of the account', async (world) => {
      const app_id = (await appCreated(world)).id();
      (await link(world, { target: 'app', app_id })).expect(200).expectAt('data.target', 'app');
    }),
    clause('target app without app_id: 422', async (world) => {
      expectInvalid(await link(world, { target: 'app' }), 'app_id');
    }),
    clause('target domains is accepted with a domain_id', async (world) => {
      const domain_id = (await domainCreated(world)).id();
      (await link(world, { target: 'domains', domain_id })).expect(200);
    }),
    clause('An unknown target: 422', async (world) => {
      expectInvalid(await link(world, { target: 'kitchen' }), 'target');
    }),
    clause('An app_id of another account: 403 or 404', async (world) => {
      const app_id = (await appCreated(world)).id();
      const path = `/accounts/${await packagedId(world)}/login-link`;
      (await world.api.post(path, { target: 'app', app_id })).expect(403, 404);
    }),
    clause('target terminal without terminal_access: 403 or 404', async (world) => {
      const id = await roomyId(world);
      (await world.api.post(`/accounts/${id}/login-link`, { target: 'terminal' })).expect(403, 404);
    }),
    clause('A suspended account: 403 or 404', async (world) => {
      const id = await packagedId(world);
      (await world.api.patch(`/accounts/${id}/suspend`)).expect(200);
      const answer = await world.api.post(`/accounts/${id}/login-link`);
      (await world.api.patch(`/accounts/${id}/unsuspend`)).expect(200);
      answer.expect(403, 404);
    }),
  ),
  section(
    '4.17',
    'GET /sso/login/{user_id}',
    clause(
      'The link begins with the base URL and has the parameters expires and signature',
      async (world) => {
        const url = await signedUrl(world);
        expectThat(
          /\/api\/v1\/sso\/login\/\d+$/.test(url.pathname),
          '/api/v1/sso/login/{user_id}',
          url.pathname,
        );
        expectThat(url.searchParams.has('signature'), 'signature', [...url.searchParams.keys()]);
        const left = Number(url.searchParams.get('expires')) - Date.now() / 1_000;
        expectThat(left > 270 && left < 330, 'expires in 300 s', `${Math.round(left)} s`);
      },
    ),
    clause('A valid link signs the user in and redirects to the panel', async (world) => {
      const answer = (await follow(world, await signedUrl(world, { target: 'domains' }))).expect(
        302,
        303,
        307,
      );
      expectThat(answer.headers.get('location') !== null, 'a Location', 'none');
      expectThat(answer.headers.get('set-cookie') !== null, 'a session cookie', 'none');
    }),
    clause('The answer has the header Referrer-Policy: no-referrer', async (world) => {
      const answer = await follow(world, await signedUrl(world));
      const policy = answer.headers.get('referrer-policy');
      expectThat(policy === 'no-referrer', 'no-referrer', policy);
    }),
    clause('A changed signature: 403', async (world) => {
      const url = await signedUrl(world);
      const signature = url.searchParams.get('signature') ?? '';
      const other = signature.endsWith('0') ? '1' : '0';
      expectMessage(await follow(world, changed(url, 'signature', signature.slice(0, -1) + other)), 403);
    }),
    clause('A changed target, user, expires or domain_id: 403', async (world) => {
      const url = await signedUrl(world, { target: 'apps' });
      const later = String(Number(url.searchParams.get('expires')) + 60);
      const another = new URL(url);
      another.pathname = url.pathname.replace(/\d+$/, (id) => String(Number(id) + 1));
      for (const bad of [changed(url, 'target', 'files'), changed(url, 'expires', later), another])
        expectMessage(await follow(world, bad), 403);
      expectMessage(await follow(world, changed(url, 'domain_id', '1')), 403);
    }),
    clause('Without a signature: 403', async (world) => {
      expectMessage(await world.anonymous.get('/sso/login/1'), 403);
    }),
    clause('An expired link: 403', async (world) => {
      if (!world.options.slow) skip('takes 300 s: run with --slow');
      const url = await signedUrl(world);
      await delay(305_000, undefined, { signal: world.signal });
      expectMessage(await follow(world, url), 403);
    }),
  ),
];
