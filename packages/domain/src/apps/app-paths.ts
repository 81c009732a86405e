import { documentRoot, homePath } from '../accounts/home-path.ts';
import type { AppRuntime } from './app.ts';

/** Everything that is an app's alone, in its account's home. */
export function appFolder(linuxUser: string, appId: number): string {
  return `${homePath(linuxUser)}/apps/${appId}`;
}

/**
 * What a deploy replaces: of Node.js the release that runs, of others the site of the app's domain, or a
 * folder of its own while it has none.
 */
export function appDeployRoot(
  linuxUser: string,
  app: { id: number; runtime: AppRuntime; domain_name: string | null },
): string {
  if (app.runtime === 'nodejs') return `${appFolder(linuxUser, app.id)}/current`;
  return app.domain_name === null
    ? `${appFolder(linuxUser, app.id)}/public_html`
    : documentRoot(linuxUser, app.domain_name);
}
