import { makeZip, waitUntil, type ZipEntry } from '@innkeeper/testkit';
import { expect } from 'vitest';
import { SLOW_MS, type Tenant } from './tenant.ts';
import type { Use } from './virtual-server.ts';

interface AppBody {
  data: { id: number; status: string; last_error: string | null };
}

/**
 * Node.js as if an app had needed it before: the agent's own. Fetching it and unpacking 40 MB takes minutes on an emulated
 * processor. Of npm there is what these tests need: nothing to install, `npm start`, and a build if there is a build.js.
 */
const PLACE_NODEJS = `
version=$(/opt/innkeeper/agent/node --version | cut -c 2-) folder=/opt/innkeeper/node-versions
mkdir -p $folder/$version/bin /opt/innkeeper/node
cp --remove-destination /opt/innkeeper/agent/node $folder/$version/bin/node
cat >$folder/$version/bin/npm <<'NPM'
#!/bin/sh
node=$(dirname "$(readlink -f "$0")")/node
case $1 in
  start) exec "$node" server.js ;;
  run) [ ! -e build.js ] || exec "$node" build.js ;;
esac
NPM
chmod 755 $folder/$version/bin/npm
ln -sfn ../node-versions/$version /opt/innkeeper/node/\${version%%.*}
chmod 755 $folder $folder/$version $folder/$version/bin /opt/innkeeper/node`;

export async function placeNodejs({ guest }: Pick<Use, 'guest'>): Promise<void> {
  await guest.require(['bash', '-ec', PLACE_NODEJS], { timeoutMs: SLOW_MS });
}

/** Adds a domain, installs an app for it, and waits until it runs. Returns the id of the app. */
export async function installApp(
  use: Pick<Use, 'api'>,
  tenant: Pick<Tenant, 'id'>,
  template_key: 'php' | 'nodejs',
  domain_name: string,
): Promise<number> {
  const account = { hosting_account_id: tenant.id };
  const domain = await use.api.post<{ data: { id: number } }>('/domains', { ...account, domain_name });
  expect(domain).toMatchObject({ status: 201 });
  const app = { ...account, template_key, name: template_key, domain_id: domain.body.data.id };
  const installed = await use.api.post<AppBody>('/apps', app);
  expect(installed).toMatchObject({ status: 201 });
  await appIs(use, installed.body.data.id, 'running');
  return installed.body.data.id;
}

export async function appIs({ api }: Pick<Use, 'api'>, id: number, status: string): Promise<void> {
  await waitUntil(
    `app ${id} to be ${status}`,
    async () => {
      const { data } = (await api.get<AppBody>(`/apps/${id}`)).body;
      if (data.status === 'failed' && status !== 'failed') throw new Error(data.last_error ?? 'failed');
      return data.status === status;
    },
    { timeoutMs: 240_000, everyMs: 500 },
  );
}

/** Deploys these files. Returns before the release serves. */
export async function deploy(
  { installation }: Pick<Use, 'installation'>,
  id: number,
  files: readonly ZipEntry[],
): Promise<void> {
  const form = new FormData();
  form.set('archive', new Blob([new Uint8Array(makeZip([...files]))]), 'app.zip');
  const { baseUrl, token } = installation;
  const response = await fetch(`${baseUrl}/apps/${id}/deploy-zip`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect(response.status).toBe(200);
}
