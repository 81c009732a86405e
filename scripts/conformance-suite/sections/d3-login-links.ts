import { clause, decisions, expectThat } from '../clause.ts';
import { expectMessage } from '../errors.ts';
import { appCreated, packagedId } from '../fixtures.ts';
import { changed, follow, signedUrl } from '../login-link.ts';

export const loginLinkDecisions = decisions(
  'D10',
  'Decisions: login links',
  clause('A valid link: 302 with Cache-Control: no-store', async (world) => {
    const answer = (await follow(world, await signedUrl(world))).expect(302);
    const control = answer.headers.get('cache-control') ?? 'none';
    expectThat(control.includes('no-store'), 'no-store', control);
  }),
  clause('The session cookie is HttpOnly and SameSite=Lax, and Secure under HTTPS', async (world) => {
    const cookie = (await follow(world, await signedUrl(world))).expect(302).headers.get('set-cookie') ?? '';
    const has = (attribute: string) => new RegExp(`;\\s*${attribute}(;|,|$)`, 'i').test(cookie);
    const names = [
      'HttpOnly',
      'SameSite=Lax',
      ...(world.options.baseUrl.startsWith('https:') ? ['Secure'] : []),
    ];
    const missing = names.filter((name) => !has(name));
    expectThat(missing.length === 0, names.join(', '), `none of ${missing.join(', ')}`);
  }),
  clause('A changed link has the message "Invalid signature."', async (world) => {
    expectMessage(
      await follow(world, changed(await signedUrl(world), 'signature', 'x')),
      403,
      'Invalid signature.',
    );
  }),
  clause('Unknown and repeated parameters: 403', async (world) => {
    const url = await signedUrl(world);
    expectMessage(await follow(world, changed(url, 'colour', 'red')), 403);
    const twice = new URL(url);
    twice.searchParams.append('expires', url.searchParams.get('expires') ?? '');
    expectMessage(await follow(world, twice), 403);
  }),
  clause('The order of the parameters does not matter', async (world) => {
    const url = await signedUrl(world, { target: 'apps' });
    url.search = new URLSearchParams([...url.searchParams].reverse()).toString();
    (await follow(world, url)).expect(302);
  }),
  clause('A link works until it expires, more than once', async (world) => {
    const url = await signedUrl(world);
    (await follow(world, url)).expect(302);
    (await follow(world, url)).expect(302);
  }),
  clause('An app_id of another account: 404', async (world) => {
    const app_id = (await appCreated(world)).id();
    const path = `/accounts/${await packagedId(world)}/login-link`;
    expectMessage(await world.api.post(path, { target: 'app', app_id }), 404);
  }),
  clause(
    'The state is checked when a link is followed: 403 for an account that was suspended after its creation',
    async (world) => {
      const id = await packagedId(world);
      const made = (await world.api.post(`/accounts/${id}/login-link`)).expect(200);
      (await world.api.patch(`/accounts/${id}/suspend`)).expect(200);
      const refused = await world.api.post(`/accounts/${id}/login-link`);
      const used = await follow(world, new URL(made.string('data.login_url')));
      (await world.api.patch(`/accounts/${id}/unsuspend`)).expect(200);
      expectMessage(refused, 403);
      expectMessage(used, 403);
    },
  ),
);
