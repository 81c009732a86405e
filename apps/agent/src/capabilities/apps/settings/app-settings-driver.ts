import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import { ownerOf } from '../../claim.ts';
import type { Change, Driver } from '../../driver.ts';
import type { Host } from '../../host.ts';
import { databaseSettings } from '../task/wordpress-config.ts';

/** The settings file of each app that gets its database through a file; undefined where none exists. */
type Observed = ReadonlyMap<number, string | undefined>;
type SettingsChange = Change & { readonly kind: 'write-settings'; readonly appId: number };

/**
 * WordPress's database settings: a file beside the app's releases that only the account can read. WordPress's own
 * configuration reads it. This driver runs after the databases driver, because a database accepts a new password before
 * the file contains it, and the old one until `oldPasswordsDriver`. It runs before the releases driver, because the
 * installer needs the file. The file is removed with the app's folder.
 */
export const appSettingsDriver: Driver<Observed, SettingsChange> = {
  name: 'app-settings',
  buildsOn: ['user', 'home', 'databases'],

  async observe(spec, host): Promise<Observed> {
    const owner = ownerOf(spec);
    const apps = appsWithSettings(spec);
    if (apps.length === 0 || (await host.homes.observe(owner)).kind !== 'ours') return new Map();
    return await readAll(apps, (appId) => host.appFiles.readSettings(owner, appId));
  },

  plan: (spec, written) =>
    appsWithSettings(spec)
      .filter((app) => written.get(app.app_id) !== settingsFor(spec, app))
      .map(({ app_id }) => ({
        kind: 'write-settings',
        appId: app_id,
        summary: `tell app ${app_id} how it reaches its database`,
      })),

  async apply({ appId }, spec, host: Host) {
    const app = appsWithSettings(spec).find(({ app_id }) => app_id === appId);
    const text = app === undefined ? undefined : settingsFor(spec, app);
    if (text !== undefined) await host.appFiles.writeSettings(ownerOf(spec), appId, text);
  },
};

function appsWithSettings(spec: AccountSpec): AppSpec[] {
  if (spec.desired_state !== 'active') return [];
  return spec.apps.filter(
    (app) =>
      app.installer === 'wordpress' && app.desired_state !== 'absent' && settingsFor(spec, app) !== undefined,
  );
}

function settingsFor({ databases }: AccountSpec, { database_id }: AppSpec): string | undefined {
  const database = databases.find(
    (candidate) => candidate.database_id === database_id && candidate.desired_state === 'active',
  );
  return database && databaseSettings({ name: database.db_name, password: database.password });
}

async function readAll(
  apps: readonly AppSpec[],
  read: (appId: number) => Promise<string | undefined>,
): Promise<Observed> {
  const written = await Promise.all(apps.map(async ({ app_id }) => [app_id, await read(app_id)] as const));
  return new Map(written);
}
