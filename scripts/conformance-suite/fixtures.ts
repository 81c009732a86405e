import type { Answer } from './answer.ts';
import { skip } from './outcome.ts';
import type { World } from './world.ts';

/** Records that many clauses use. The first clause that needs a record creates it. */

export const PASSWORD = 'correct horse battery 9';

export interface Package {
  id: number;
  name: string;
  [limit: string]: unknown;
}

/** The limits of the main account: small enough to be reached. */
export const MAIN_LIMITS = {
  disk_limit_mb: 500,
  bandwidth_limit_mb: 1_000,
  cpu_limit_percent: 50,
  ram_limit_mb: 256,
  max_domains: 4,
  max_databases: 2,
  max_apps: 2,
};

/** The required fields of POST /accounts with a name that is unique to this run. */
export function person(world: World, rest: string): Record<string, unknown> {
  return {
    username: world.username(rest),
    name: `Conformance ${rest}`,
    email: `${world.prefix}@example.com`,
    password: PASSWORD,
  };
}

export const packages = (world: World): Promise<Package[]> =>
  world.once('the list of packages', async () =>
    (await world.api.get('/packages')).expect(200).items().map(asPackage),
  );

/** The package for new accounts: the requested one, or the active one with the smallest disk limit. */
export const sellPackage = (world: World): Promise<Package> =>
  world.once('a package', async () => {
    const { packageId } = world.options;
    if (packageId !== undefined)
      return asPackage((await world.api.get(`/packages/${packageId}`)).expect(200).at('data'));
    const active = (await packages(world)).filter((found) => found.is_active !== false);
    const [smallest] = active.sort((a, b) => Number(a.disk_mb) - Number(b.disk_mb));
    return smallest ?? skip('there is no active package');
  });

/** The answer that created the main account, with custom limits. Most clauses use this account. */
export const mainCreated = (world: World): Promise<Answer> =>
  world.once('an account with custom limits', async () =>
    (
      await world.accounts.create({ ...person(world, 'main'), ...MAIN_LIMITS, terminal_access: false })
    ).expect(201),
  );

/** The answer that created an account with the package. */
export const packagedCreated = (world: World): Promise<Answer> =>
  world.once('an account from a package', async () => {
    const { id } = await sellPackage(world);
    return (await world.accounts.create({ ...person(world, 'pack'), package_id: id })).expect(201);
  });

/** The answer that created an account with the smallest possible limits. A clause terminates it. */
export const smallestCreated = (world: World): Promise<Answer> =>
  world.once('an account of the smallest limits', async () =>
    (await world.accounts.create({ ...person(world, 'min'), ...SMALLEST })).expect(201),
  );

export const SMALLEST = {
  disk_limit_mb: 100,
  bandwidth_limit_mb: 100,
  cpu_limit_percent: 1,
  ram_limit_mb: 128,
  io_read_mbps: 5,
  io_write_mbps: 5,
  iops: 100,
  max_processes: 20,
  max_domains: 1,
  max_databases: 0,
  max_apps: 0,
};

/** An account with room for everything and no terminal access, whose name begins with a digit. */
export const roomyCreated = (world: World): Promise<Answer> =>
  world.once('an account with room', async () => {
    const counts = { max_domains: 20, max_databases: 5, max_apps: 5, terminal_access: false };
    const username = `7${world.username('')}`;
    return (
      await world.accounts.create({ ...person(world, 'room'), username, ...MAIN_LIMITS, ...counts })
    ).expect(201);
  });

export const mainId = async (world: World) => (await mainCreated(world)).id();
export const roomyId = async (world: World) => (await roomyCreated(world)).id();
export const packagedId = async (world: World) => (await packagedCreated(world)).id();

export const domainCreated = (world: World): Promise<Answer> =>
  world.once('a domain', async () => {
    const body = { hosting_account_id: await mainId(world), domain_name: world.domainName('main') };
    return (await world.api.post('/domains', body)).expect(201);
  });

export const secondDomainCreated = (world: World): Promise<Answer> =>
  world.once('a second domain', async () => {
    const body = { hosting_account_id: await mainId(world), domain_name: world.domainName('second') };
    return (await world.api.post('/domains', body)).expect(201);
  });

export const databaseCreated = (world: World): Promise<Answer> =>
  world.once('a database', async () =>
    (await world.api.post('/databases', { hosting_account_id: await mainId(world), name: 'shop' })).expect(
      201,
    ),
  );

export const CRON = { name: 'nightly', schedule: '*/5 * * * *', command: 'php /home/x/cron.php --all' };

export const cronCreated = (world: World): Promise<Answer> =>
  world.once('a cron job', async () =>
    (await world.api.post('/cron-jobs', { hosting_account_id: await mainId(world), ...CRON })).expect(201),
  );

export const templates = (world: World): Promise<Record<string, unknown>[]> =>
  world.once('the list of app templates', async () =>
    (await world.api.get('/app-templates')).expect(200).items(),
  );

/** The template of an app that accepts ZIP deployments. */
export const deployable = (world: World): Promise<string> =>
  world.once('a template for ZIP archives', async () => {
    const keys = (await templates(world)).map((template) => template.key);
    const found = ['php', 'static', 'nodejs'].find((key) => keys.includes(key));
    return found ?? skip('there is no template php, static or nodejs');
  });

export const appCreated = (world: World): Promise<Answer> =>
  world.once('an app', async () => {
    const body = {
      hosting_account_id: await mainId(world),
      template_key: await deployable(world),
      name: 'blog',
      domain_id: (await domainCreated(world)).id(),
      env: { GREETING: 'hello', API_TOKEN: 'never-shown' },
    };
    return (await world.api.post('/apps', body)).expect(201);
  });

/** The app after its installation has ended, or in its current state after the timeout. */
export const appSettled = (world: World): Promise<Answer> =>
  world.once('the app after its installation', async () => {
    const id = (await appCreated(world)).id();
    return await world.poll(
      () => world.api.get(`/apps/${id}`),
      (answer) =>
        answer.status !== 200 || ['running', 'stopped', 'failed'].includes(String(answer.at('data.status'))),
    );
  });

function asPackage(value: unknown): Package {
  return value as Package;
}
