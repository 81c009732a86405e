import type { Answer } from './answer.ts';
import { mainId } from './fixtures.ts';
import { fail } from './outcome.ts';
import type { World } from './world.ts';

/** Sends POST /accounts/{id}/login-link for the main account. */
export async function link(world: World, body?: unknown): Promise<Answer> {
  return await world.api.post(`/accounts/${await mainId(world)}/login-link`, body);
}

/** Returns the URL of a new link. */
export async function signedUrl(world: World, body: unknown = {}): Promise<URL> {
  const url = (await link(world, body)).expect(200).string('data.login_url');
  return URL.canParse(url) ? new URL(url) : fail('login_url is an absolute URL', url);
}

/** Opens a link below the base URL, whatever host it names: that host may be reachable only for customers. */
export async function follow(world: World, { pathname, search }: URL): Promise<Answer> {
  const below = pathname.replace(/^.*(?=\/sso\/login\/)/, '');
  return await world.anonymous.send({ method: 'GET', path: below + search });
}

/** Returns the URL with another value for one parameter. */
export function changed(url: URL, name: string, value: string): URL {
  const other = new URL(url);
  other.searchParams.set(name, value);
  return other;
}
