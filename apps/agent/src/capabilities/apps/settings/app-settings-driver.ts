import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import { ownerOf } from '../../claim.ts';
import type { Change, Driver } from '../../driver.ts';
import type { Host } from '../../host.ts';
import { databaseSettings } from '../task/wordpress-config.ts';

/** What is written for each app that is told its database by a file; undefined where nothing is. */
type Observed = ReadonlyMap<number, string | undefined>;
type SettingsChange = Change & { readonly kind: 'write-settings'; readonly appId: number };

/**
 * How WordPress reaches its database: a file of the account's alone beside the app's releases, which its own
 * configuration reads. It stands behind the databases, which take a new password before it is in there and the old one
 * until `oldPasswordsDriver`, and before the releases, whose installer needs it. It goes with the app's folder.
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
