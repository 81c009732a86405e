import { gunzipSync } from 'node:zlib';
import type { HttpBindings } from '@hono/node-server';
import { openApiDocument } from '@innkeeper/contract';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { fakeDeps } from '../../test/fake-deps.ts';
import { createApp } from '../app.ts';

const app = createApp(fakeDeps());
const incoming = { socket: { remoteAddress: '192.0.2.1' } };

async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return await app.request(path, { method, headers }, { incoming } as HttpBindings);
}

describe('the OpenAPI document', () => {
  it('needs no token', async () => {
    const answer = await get('/api/v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await answer.json()).toEqual(
      JSON.parse(JSON.stringify(openApiDocument({ version: packageJson.version }))),
    );
  });

  it('is not sent again to a client that has it', async () => {
    const etag = (await get('/api/v1/openapi.json')).headers.get('ETag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const answer = await get('/api/v1/openapi.json', { 'If-None-Match': known });
      expect([answer.status, await answer.text(), answer.headers.get('ETag')], known).toEqual([
        304,
        '',
        etag,
      ]);
    }
    expect((await get('/api/v1/openapi.json', { 'If-None-Match': 'W/"other"' })).status).toBe(200);
  });

  it('is compressed for clients that accept it', async () => {
    const plain = await (await get('/api/v1/openapi.json')).text();
    for (const accepted of ['gzip', 'br, GZIP;q=0.5']) {
      const answer = await get('/api/v1/openapi.json', { 'Accept-Encoding': accepted });
      expect(answer.headers.get('Content-Encoding')).toBe('gzip');
      expect(gunzipSync(await answer.arrayBuffer()).toString()).toBe(plain);
    }
    for (const refused of ['', 'br', 'gzip;q=0', 'gzip; q=0.000'])
      expect(
        (await get('/api/v1/openapi.json', { 'Accept-Encoding': refused })).headers.has('Content-Encoding'),
      ).toBe(false);
  });

  it('accepts only GET', async () => {
    const answer = await get('/api/v1/openapi.json', {}, 'POST');
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the documentation page', () => {
  it('has a Content-Security-Policy that allows nothing inline and nothing from other origins', async () => {
    const { headers } = await get('/docs');
    const policy = new Map(
      (headers.get('Content-Security-Policy') ?? '').split('; ').map((rule) => {
        const [name = '', ...sources] = rule.split(' ');
        return [name, sources] as const;
      }),
    );
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    const allowed = new Set([...policy.values()].flat());
    expect(allowed).toEqual(new Set(["'none'", "'self'", 'data:']));
    expect(policy.get('script-src')).toEqual(["'self'"]);
  });

  it('links only to files of this server', async () => {
    const page = await (await get('/docs')).text();
    const named = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url);
    expect(named.filter((url) => url !== 'data:,')).toEqual([
      '/docs/swagger-ui.css',
      '/docs/swagger-ui.js',
      '/docs/start.js',
    ]);
    expect(page).not.toMatch(/<script>|style=|\son\w+=/);
    const style = await (await get('/docs/swagger-ui.css')).text();
    for (const [, url] of style.matchAll(/(?:url\(|@import\s+)["']?([^"')]{0,5})/g))
      expect(url).toBe('data:');
    expect(await (await get('/docs/start.js')).text()).toContain('url: "/api/v1/openapi.json"');
  });

  it('has the content types that browsers require', async () => {
    const types = { '': 'text/html', '/': 'text/html', '/start.js': 'text/javascript' };
    const assets = { '/swagger-ui.js': 'text/javascript', '/swagger-ui.css': 'text/css' };
    for (const [path, type] of Object.entries({ ...types, ...assets })) {
      const { status, headers } = await get(`/docs${path}`);
      expect([status, headers.get('Content-Type'), headers.get('X-Content-Type-Options')], path).toEqual([
        200,
        `${type}; charset=utf-8`,
        'nosniff',
      ]);
    }
    expect((await get('/docs/nope.js')).status).toBe(404);
  });
});
