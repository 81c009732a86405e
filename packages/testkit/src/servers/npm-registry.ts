import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { requireProgram } from '../processes/program.ts';

/**
 * A proxy of this machine's configured npm registry, on an address that boxes reach: boxes have no route out.
 *
 * It forwards reads, and rewrites only the addresses of tarballs, as a mirror does. It caches responses below
 * /var/cache/innkeeper: tarballs forever, because a version never changes; package metadata for one day, and longer
 * while the registry is unreachable. This is a custom proxy because a complete registry (verdaccio: 200 packages) would
 * take much more time to install and start.
 */
export interface NpmRegistry {
  /** `http://address:port/` */
  url: string;
  /** The requested paths, in order. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

interface Source {
  /** URL with a slash at the end. */
  readonly upstream: string;
  readonly cacheDir: string;
  /** Requests in progress, by cache file. */
  readonly underWay: Map<string, Promise<Buffer | undefined>>;
}

const CACHE_DIR = '/var/cache/innkeeper/npm';
const PNPM = join(import.meta.dirname, '../../../../.toolchain/node_modules/pnpm/bin/pnpm.mjs');
const FRESH_MS = 86_400_000;
const ABBREVIATED = 'application/vnd.npm.install-v1+json';
const PACKAGE = /^\/(?:@[a-z0-9._~-]+(?:\/|%2f))?[a-z0-9._~-]+$/i;
const TARBALL = /^\/(?:@[a-z0-9._~-]+\/)?[a-z0-9._~-]+\/-\/[a-z0-9._~+-]+\.tgz$/i;

/** Listens on the address until `stop`. Default of `port`: a free one. */
export async function startNpmRegistry(
  address: string,
  options: { port?: number; upstream?: string; cacheDir?: string } = {},
): Promise<NpmRegistry> {
  const source: Source = {
    upstream: options.upstream ?? (await configuredRegistry()),
    cacheDir: options.cacheDir ?? CACHE_DIR,
    underWay: new Map(),
  };
  await mkdir(source.cacheDir, { recursive: true });
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response, source, url).catch((error: unknown) => {
      console.error('npm registry:', request.url, error);
      if (response.headersSent) response.destroy();
      else refuse(response, 502, 'The registry behind this one does not answer.');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, address, resolve);
  });
  const url = `http://${address}:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  source: Source,
  url: string,
): Promise<void> {
  const path = request.url ?? '';
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, 'Only what reads is answered here.');
  if (TARBALL.test(path)) {
    const tarball = await kept(source, path, '*/*', Number.POSITIVE_INFINITY);
    if (tarball === undefined) return refuse(response, 404, 'Not found');
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': tarball.length,
    });
    response.end(tarball);
    return;
  }
  if (!PACKAGE.test(path)) return refuse(response, 404, 'Not found');
  const type = request.headers.accept?.includes(ABBREVIATED) === true ? ABBREVIATED : 'application/json';
  const text = await kept(source, path, type, FRESH_MS);
  if (text === undefined) return refuse(response, 404, 'Not found');
  response.writeHead(200, { 'content-type': type });
  response.end(withTarballsAt(text, source.upstream, url));
}

function withTarballsAt(text: Buffer, upstream: string, url: string): string {
  const known = JSON.parse(text.toString('utf8')) as {
    versions?: Record<string, { dist?: { tarball?: string } }>;
  };
  for (const { dist } of Object.values(known.versions ?? {}))
    if (dist?.tarball?.startsWith(upstream)) dist.tarball = url + dist.tarball.slice(upstream.length);
  return JSON.stringify(known);
}

/**
 * Returns the upstream registry's response, from the disk cache while it is fresh. Undefined if the resource does not
 * exist.
 */
async function kept(
  { upstream, cacheDir, underWay }: Source,
  path: string,
  accept: string,
  freshMs: number,
): Promise<Buffer | undefined> {
  const address = `${upstream}${path.slice(1)}`;
  const file = join(cacheDir, createHash('sha256').update(`${accept} ${address}`).digest('hex'));
  const age = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => undefined,
  );
  if (age !== undefined && age < freshMs) return await readFile(file);
  let fetching = underWay.get(file);
  if (fetching === undefined) {
    fetching = fetchInto(file, address, accept).finally(() => underWay.delete(file));
    underWay.set(file, fetching);
  }
  try {
    return await fetching;
  } catch (error) {
    if (age === undefined) throw error;
    return await readFile(file);
  }
}

async function fetchInto(file: string, address: string, accept: string): Promise<Buffer | undefined> {
  const response = await fetch(address, { headers: { accept } });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  const body = Buffer.from(await response.arrayBuffer());
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(unfinished, body);
  await rename(unfinished, file);
  return body;
}

/**
 * Returns the registry URL that the pinned pnpm reads from the environment and npmrc files, with a slash at the end.
 */
async function configuredRegistry(): Promise<string> {
  const { stdout } = await requireProgram([process.execPath, PNPM, 'config', 'get', 'registry']);
  const url = new URL(stdout.trim());
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error }));
}
