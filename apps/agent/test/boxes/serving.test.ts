import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { AccountSpec } from '@innkeeper/protocol';
import { type Box, waitUntil } from '@innkeeper/testkit/machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specOf } from '../specs.ts';
import { asAccount } from './account-session.ts';
import { type AgentBox, startAgentBox } from './agent-box.ts';
import { appOf, Deploys } from './deploys.ts';
import { visit } from './site.ts';

/** What nginx serves of an account, what it hides, and what visitors can make it store. */
let server: AgentBox;
let box: Box;
let deploys: Deploys;
const MIB = 1_048_576;
const domain = (domain_id: number, name: string) => ({
  ...specOf({}).domains[0]!,
  domain_id,
  name,
  is_primary: domain_id === 1,
});
const account: AccountSpec = specOf({
  account_id: 1,
  uid: 20_001,
  linux_user: 'served',
  limits: { ...specOf({}).limits, ram_mb: 1_024 },
  domains: [domain(1, 'php.example.com'), domain(2, 'static.example.com'), domain(3, 'fresh.example.com')],
});
const neighbour: AccountSpec = specOf({
  account_id: 2,
  uid: 20_002,
  linux_user: 'neighbour',
  domains: [domain(1, 'neighbour.example.com')],
});
const rootOf = (name: string) => `/home/served/domains/${name}.example.com/public_html`;
const put = (name: string, path: string, text: string) => {
  const to = `${rootOf(name)}/${path}`;
  return asAccount(box, account, `umask 022; mkdir -p "$(dirname '${to}')"; cat > '${to}'`, text);
};
const get = (name: string, path = '/') => visit(box.address, `${name}.example.com`, path);

/** Sends the head of a request. The caller handles the bodies. */
function call(
  name: string,
  path: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): { sent: ClientRequest; answer: Promise<IncomingMessage> } {
  const { method = 'GET', headers = {} } = options;
  const host = `${name}.example.com`;
  const sent = request({
    host: box.address,
    path,
    method,
    headers: { host, ...headers },
    agent: false,
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
  });
  answer.catch(() => undefined);
  return { sent, answer };
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Files that nginx's processes have open below nginx's own folder, including deleted ones. */
const temporaryFiles = () =>
  box.require([
    'sh',
    '-c',
    'for p in $(pgrep nginx); do readlink /proc/$p/fd/* 2>/dev/null; done | grep ^/var/lib/nginx/ || true',
  ]);

beforeAll(async () => {
  server = await startAgentBox('serving');
  box = server.box;
  deploys = new Deploys(server, account);
  for (const spec of [account, neighbour])
    expect(await server.settle(spec)).toMatchObject({ outcome: 'applied' });
}, 180_000);

afterAll(async () => {
  await server?.remove();
});

describe('a new site', () => {
  test('shows a welcome page until its owner has a page of any name', async () => {
    expect((await get('fresh')).body).toContain('This site is ready.');
    await put('fresh', 'index.html', 'mine');
    expect((await get('fresh')).body).toBe('mine');
    await put('fresh', 'index.php', '<?php echo "my ", "program";');
    expect((await get('fresh')).body).toBe('my program');
  });

  test('serves ACME challenges of its owner, and of the agent first', async () => {
    const path = '.well-known/acme-challenge';
    await put('php', `${path}/token-of-mine`, 'of the owner');
    expect(await get('php', `/${path}/token-of-mine`)).toMatchObject({ status: 200, body: 'of the owner' });
    await box.writeFile(`/var/lib/innkeeper/acme/${path}/token-of-mine`, 'of the agent');
    expect((await get('php', `/${path}/token-of-mine`)).body).toBe('of the agent');
    await box.require(['rm', `/var/lib/innkeeper/acme/${path}/token-of-mine`]);
    expect((await get('php', `/${path}/other`)).status).toBe(404);
  });
});

describe('a served file', () => {
  test('has the MIME type that browsers expect', async () => {
    const types = {
      mjs: 'text/javascript',
      webmanifest: 'application/manifest+json',
      wasm: 'application/wasm',
      woff2: 'font/woff2',
      avif: 'image/avif',
      webp: 'image/webp',
      svg: 'image/svg+xml',
      css: 'text/css',
      json: 'application/json',
      mp4: 'video/mp4',
      unknown: 'application/octet-stream',
    };
    for (const [extension, type] of Object.entries(types)) {
      await put('php', `types/a.${extension}`, 'x');
      const answer = await call('php', `/types/a.${extension}`, { method: 'HEAD' }).sent.end();
      const response = await new Promise<IncomingMessage>((resolve) => answer.once('response', resolve));
      expect([extension, response.headers['content-type']]).toEqual([extension, type]);
      response.resume();
    }
  });

  test('is compressed where that helps', async () => {
    const text = 'a { color: black } '.repeat(500);
    for (const extension of ['css', 'js', 'mjs', 'json', 'svg', 'html']) {
      await put('php', `text.${extension}`, text);
      const { sent, answer } = call('php', `/text.${extension}`, {
        headers: { 'accept-encoding': 'gzip' },
      });
      sent.end();
      const response = await answer;
      expect([extension, response.headers['content-encoding']]).toEqual([extension, 'gzip']);
      expect(gunzipSync(await bodyOf(response)).toString()).toBe(text);
    }
  });

  test('of PHP is sent when PHP flushes it', async () => {
    await put(
      'php',
      'flush.php',
      '<?php echo "first"; ob_end_flush(); flush(); while (!file_exists("go")) { usleep(10000); clearstatcache(); } echo " last";',
    );
    const { sent, answer } = call('php', '/flush.php');
    sent.end();
    const pieces = (await answer)[Symbol.asyncIterator]();
    const next = async () => String((await pieces.next()).value);
    expect(await next()).toBe('first');
    await put('php', 'go', '');
    expect(await next()).toBe(' last');
  });
});

describe('files that are never served', () => {
  const SECRET = 'DB_PASSWORD=s3cret';
  const SOURCES = ['a.PHP', 'a.Php', 'a.phtml', 'a.php5', 'a.php7', 'a.phar', 'a.phps', 'a.pht', 'a.inc'];
  const COPIES = [
    ...['index.php~', 'wp-config.php.bak', 'wp-config.php.orig', '.wp-config.php.swp', 'b.swp', 'b.save'],
    ...['b.old', 'B.BAK', 'dump.sql', 'dump.SQL', 'dump.sql.gz', 'site.backup', '.env', '.git/config'],
  ];

  test.each([...SOURCES, ...COPIES])('%s of a PHP site', async (path) => {
    await put('php', `kept/${path}`, SECRET);
    expect((await get('php', `/kept/${path}`)).status).toBe(404);
  });

  test('sources and backups of programs in an app of static files, or in the site that it adopted', async () => {
    await put('static', 'wp-config.php', `<?php define("DB_PASSWORD", "${SECRET}");`);
    await put('static', 'index.php', '<?php echo "runs";');
    expect((await get('static')).body).toBe('runs');
    deploys.want({ apps: [appOf({ app_id: 1, domain_id: 2 })] });
    await deploys.settled(1, 'running');
    expect((await get('static')).body).toContain('This app is ready.');
    expect((await get('static', '/wp-config.php')).status).toBe(404);
    expect(await box.readFile(`${rootOf('static')}.before-app-1/wp-config.php`)).toContain(SECRET);
    for (const path of ['a.php', ...SOURCES, ...COPIES]) {
      await put('static', path, SECRET);
      expect([path, (await get('static', `/${path}`)).status]).toEqual([path, 404]);
    }
  });
});

describe('the load of visitors', () => {
  test('a 120 MB page for a slow reader waits in PHP, and nginx buffers no file', async () => {
    await put(
      'php',
      'large.php',
      '<?php ob_end_flush(); for ($n = 1; $n <= 120; $n += 1) { echo str_repeat("x", 1 << 20); flush(); file_put_contents("sent", $n); }',
    );
    const { sent, answer } = call('php', '/large.php');
    sent.end();
    const response = await answer;
    response.pause();
    const progress = async () => Number((await box.exec(['cat', `${rootOf('php')}/sent`])).stdout);
    await waitUntil('PHP to wait', async () => {
      const before = await progress();
      // Long enough for PHP to continue if any process read its answer.
      await new Promise((resolve) => setTimeout(resolve, 300));
      return before > 0 && (await progress()) === before;
    });
    expect(await progress()).toBeLessThan(60);
    expect(await temporaryFiles()).toBe('');
    response.destroy();
  });

  test('request bodies are streamed to the account, and nginx stores no file', async () => {
    await put('php', 'take.php', '<?php echo array_sum(array_column($_FILES, "size"));');
    const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n';
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': `${200 * MIB}`,
    };
    const uploads = Array.from({ length: 4 }, () => call('php', '/take.php', { method: 'POST', headers }));
    for (const { sent } of uploads) sent.write(Buffer.concat([Buffer.from(head), Buffer.alloc(8 * MIB)]));
    await waitUntil('the uploads to be the account’s', async () => {
      const kept = await box.require([
        'find',
        '/home/served/.php/tmp',
        '-uid',
        `${account.uid}`,
        '-size',
        '+7M',
      ]);
      return kept.trim().split('\n').length === uploads.length;
    });
    expect(await temporaryFiles()).toBe('');
    for (const { sent } of uploads) sent.destroy();
  });

  test('a body without a declared length reaches PHP complete, up to 16 MiB', async () => {
    await put('php', 'body.php', '<?php echo strlen(file_get_contents("php://input"));');
    const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/octet-stream' };
    const send = async (bytes: number) => {
      const { sent, answer } = call('php', '/body.php', { method: 'POST', headers });
      sent.end(Buffer.alloc(bytes, 'x'));
      const response = await answer;
      return `${response.statusCode} ${await bodyOf(response)}`;
    };
    expect(await send(3 * MIB)).toBe(`200 ${3 * MIB}`);
    expect(await send(17 * MIB)).toMatch(/^413 /);
  });

  test('requests over an account’s limit of concurrent requests are refused with a page, those of another account are not', async () => {
    await put('php', 'wait.php', '<?php while (!file_exists("end")) { sleep(1); clearstatcache(); }');
    const calls = Array.from({ length: 540 }, () => call('php', '/wait.php'));
    const refused = new Promise<IncomingMessage>((resolve) => {
      for (const { sent, answer } of calls) {
        void answer.then(
          (response) => response.statusCode === 429 && resolve(response),
          () => undefined,
        );
        sent.end();
      }
    });
    const response = await refused;
    expect(response.headers['retry-after']).toBe('5');
    expect((await bodyOf(response)).toString()).toContain('This site is busy');
    expect((await get('neighbour')).status).toBe(200);
    for (const { sent } of calls) sent.destroy();
    await put('php', 'end', '');
    await waitUntil('the site', async () => (await get('php', '/types/a.css')).status === 200);
  });

  test('nginx has enough connections, and ends workers of an older configuration after a timeout', async () => {
    const configuration = await box.require(['nginx', '-T', '-q']);
    expect(configuration).toMatch(/^worker_shutdown_timeout \d+s;$/m);
    expect(configuration).toMatch(/^\s*worker_connections 8192;/m);
    const limits = await box.require([
      'sh',
      '-c',
      'cat /proc/$(pgrep -f "^nginx: worker process$" | head -n 1)/limits',
    ]);
    expect(Number(/^Max open files +(\d+)/m.exec(limits)![1])).toBeGreaterThan(8_192);
  });
});
