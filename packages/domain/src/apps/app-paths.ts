import { documentRoot, homePath } from '../accounts/username.ts';
import type { AppRuntime } from './app.ts';

/** The folder of an app's own files, in its account's home. */
export function appFolder(linuxUser: string, appId: number): string {
  return `${homePath(linuxUser)}/apps/${appId}`;
}

/**
 * The folder that a deploy replaces. For Node.js: the release that runs. For other runtimes: the site of the app's
 * domain, or the app's own folder while it has no domain.
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
