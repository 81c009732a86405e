import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { type HostingServer, type Installation, type StepLog, waitUntil } from '@innkeeper/testkit/machine';

/** The demo account, which shows that everything works. */
export interface Demo {
  account_id: number;
  username: string;
  package_id: number;
  domain: string;
  /** Its hosting server and the server's address. */
  node: string;
  address: string;
}

interface Account {
  id: number;
  synced: boolean;
  package: { id: number };
  node: { id: number; name: string };
  domains: { domain_name: string }[];
}

const USERNAME = 'demo';
const DOMAIN = 'demo.example.com';
const DOCUMENT_ROOT = `/home/${USERNAME}/domains/${DOMAIN}/public_html`;
const PAGE = "<?php echo 'It works: ', php_uname('n'), ', uid ', posix_geteuid(), PHP_EOL;\n";

/**
 * The main use case, end to end: creates an account and a domain over the REST API, writes a PHP page as the account
 * itself, and fetches the page through the hosting server's nginx. Only checks what already exists.
 */
export async function ensureDemo(
  installation: Installation,
  servers: readonly HostingServer[],
  log: StepLog,
): Promise<Demo> {
  const call = createCall(installation, log);
  const { data: found } = await call<{ data: { id: number }[] }>('GET', `/accounts?username=${USERNAME}`);
  const accountId = found[0]?.id ?? (await createAccount(call, installation));
  const show = async () => (await call<{ data: Account }>('GET', `/accounts/${accountId}`)).data;
  if ((await show()).domains.length === 0) {
    await call('POST', '/domains', { hosting_account_id: accountId, domain_name: DOMAIN, is_primary: true });
  }
  const account = await waitUntil(
    `the account ${USERNAME} on its server`,
    async () => {
      const latest = await show();
      return latest.synced ? latest : undefined;
    },
    { timeoutMs: 30_000, everyMs: 250 },
  );
  const server = servers.find((candidate) => candidate.id === account.node.id);
  if (server === undefined)
    throw new Error(`the account is on ${account.node.name}, which is not a box of this checkout`);
  await ensurePage(server);
  const page = await fetchSite(server.address);
  log.write(`${page.status} ${page.body}\n`);
  if (page.status !== 200)
    throw new Error(
      `http://${DOMAIN}/ on ${server.name} answered ${page.status}: ${page.body.slice(0, 300)}`,
    );
  return {
    account_id: account.id,
    username: USERNAME,
    package_id: account.package.id,
    domain: DOMAIN,
    node: server.name,
    address: server.address,
  };
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

function createCall(installation: Installation, log: StepLog): Call {
  return async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${installation.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${installation.token}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    log.write(`${method} ${path} ${response.status} ${text}\n`);
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  };
}

async function createAccount(call: Call, installation: Installation): Promise<number> {
  const { data } = await call<{ data: { id: number } }>('POST', '/accounts', {
    username: USERNAME,
    name: 'Demo',
    email: 'demo@example.com',
    password: randomBytes(18).toString('base64url'),
    package_id: installation.packages[0]!.id,
  });
  return data.id;
}

/** Writes the page as the account. Leaves an existing page unchanged. */
async function ensurePage({ box }: HostingServer): Promise<void> {
  const asDemo = ['runuser', '-u', USERNAME, '--'];
  const page = `${DOCUMENT_ROOT}/index.php`;
  if ((await box.exec([...asDemo, 'test', '-e', page])).exitCode === 0) return;
  await box.require([...asDemo, 'tee', '--', page], { input: PAGE });
}

async function fetchSite(address: string): Promise<{ status: number; body: string }> {
  return await new Promise((resolve, reject) => {
    const options = { host: address, path: '/', headers: { host: DOMAIN }, timeout: 10_000 };
    const request = get(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    request.on('timeout', () => request.destroy(new Error(`${address} did not answer within 10 s`)));
    request.on('error', reject);
  });
}
