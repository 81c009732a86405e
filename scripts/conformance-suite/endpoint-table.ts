import { appCreated, cronCreated, databaseCreated, domainCreated, mainId, sellPackage } from './fixtures.ts';
import type { World } from './world.ts';

/** The table of the section "Endpoints": the ability that each row requires. */
export interface Endpoint {
  method: string;
  path: string;
  /** `null`: any valid token. */
  ability: string | null;
}

const table = `
GET /auth/me
GET /packages packages:read
GET /packages/{package} packages:read
GET /accounts accounts:read
POST /accounts accounts:write
GET /accounts/check-username accounts:read
GET /accounts/usage/bulk accounts:read
GET /accounts/{account} accounts:read
DELETE /accounts/{account} accounts:write
PATCH /accounts/{account}/suspend accounts:write
PATCH /accounts/{account}/unsuspend accounts:write
PATCH /accounts/{account}/password accounts:write
PATCH /accounts/{account}/package accounts:write
PATCH /accounts/{account}/resources accounts:write
GET /accounts/{account}/usage accounts:read
POST /accounts/{account}/login-link accounts:write
GET /domains domains:read
POST /domains domains:write
GET /domains/{domain} domains:read
DELETE /domains/{domain} domains:write
POST /domains/{domain}/ssl domains:write
GET /app-templates apps:read
GET /apps apps:read
POST /apps apps:write
GET /apps/{app} apps:read
DELETE /apps/{app} apps:write
POST /apps/{app}/deploy-zip apps:write
POST /apps/{app}/deploy-git apps:write
GET /databases databases:read
POST /databases databases:write
GET /databases/{database} databases:read
DELETE /databases/{database} databases:write
PATCH /databases/{database}/password databases:write
POST /databases/{database}/allowed-ips databases:write
DELETE /databases/{database}/allowed-ips/192.0.2.77 databases:write
GET /cron-jobs cron:read
POST /cron-jobs cron:write
GET /cron-jobs/{cron} cron:read
PATCH /cron-jobs/{cron} cron:write
DELETE /cron-jobs/{cron} cron:write`;

export const endpoints: Endpoint[] = table
  .trim()
  .split('\n')
  .map((row) => {
    const [method = '', path = '', ability = null] = row.split(' ');
    return { method, path, ability };
  });

const ids: Record<string, (world: World) => Promise<number>> = {
  package: async (world) => (await sellPackage(world)).id,
  account: mainId,
  domain: async (world) => (await domainCreated(world)).id(),
  app: async (world) => (await appCreated(world)).id(),
  database: async (world) => (await databaseCreated(world)).id(),
  cron: async (world) => (await cronCreated(world)).id(),
};

/** Returns the row's path with the id of an existing record. */
export async function pathOf({ path }: Endpoint, world: World): Promise<string> {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  const find = name === undefined ? undefined : ids[name];
  return find === undefined ? path : path.replace(/\{\w+\}/, String(await find(world)));
}
