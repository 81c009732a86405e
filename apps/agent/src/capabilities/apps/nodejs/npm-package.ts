import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { HostError } from '../../../node/host-error.ts';

/** One version of a package, as the registry describes it. */
export interface PackageVersion {
  readonly version: string;
  readonly tarball: string;
  /** Of the tarball, in base64. */
  readonly sha512: string;
}

const metadataSchema = z.object({
  versions: z.record(
    z.string(),
    z.object({ dist: z.object({ tarball: z.string(), integrity: z.string().optional() }) }),
  ),
});

const METADATA_TYPE = 'application/vnd.npm.install-v1+json';
const METADATA_TIMEOUT_MS = 60_000;
const TARBALL_TIMEOUT_MS = 600_000;
const MOST_METADATA_BYTES = 64 * 1024 * 1024;
const MOST_TARBALL_BYTES = 256 * 1024 * 1024;

/** Returns the newest release of a major version, without pre-releases. Throws HostError. */
export async function findNewest(registry: string, name: string, major: string): Promise<PackageVersion> {
  const address = new URL(encodeURIComponent(name), registry).href;
  const chunks: Uint8Array[] = [];
  await download(address, METADATA_TYPE, METADATA_TIMEOUT_MS, MOST_METADATA_BYTES, async (chunk) => {
    chunks.push(chunk);
  });
  const metadata = metadataSchema.safeParse(parseJson(Buffer.concat(chunks)));
  if (!metadata.success) throw failed(`${address} is not what a registry says of a package.`);
  const [newest] = Object.entries(metadata.data.versions)
    .map(([version, { dist }]) => ({ version, dist, numbers: numbersOf(version) }))
    .filter(({ numbers }) => numbers?.[0] === Number(major))
    .sort((one, other) => compare(other.numbers!, one.numbers!));
  if (newest === undefined) throw failed(`The registry has no version ${major} of ${name}.`);
  const sha512 = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(newest.dist.integrity ?? '')?.[1];
  if (sha512 === undefined)
    throw failed(`The registry has no SHA-512 of ${name} ${newest.version}, so the agent does not trust it.`);
  if (!/^https?:\/\//.test(newest.dist.tarball))
    throw failed(`The registry has no download URL of ${name} ${newest.version}.`);
  return { version: newest.version, tarball: newest.dist.tarball, sha512 };
}

/** Fetches a tarball into a new file. The file must not be used before this resolves. Throws HostError. */
export async function fetchTarball(wanted: PackageVersion, path: string): Promise<void> {
  const hash = createHash('sha512');
  const file = await open(path, 'wx', 0o600);
  try {
    await download(wanted.tarball, '*/*', TARBALL_TIMEOUT_MS, MOST_TARBALL_BYTES, async (chunk) => {
      hash.update(chunk);
      await file.writeFile(chunk);
    });
  } finally {
    await file.close();
  }
  if (hash.digest('base64') !== wanted.sha512)
    throw failed(`${wanted.tarball} is not what the registry says it is: another SHA-512.`);
}

async function download(
  address: string,
  accept: string,
  timeoutMs: number,
  mostBytes: number,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  try {
    const response = await fetch(address, {
      headers: { accept },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok || response.body === null) throw failed(`${address} answers ${response.status}.`);
    let bytes = 0;
    for await (const chunk of response.body) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw failed(`${address} is larger than ${mostBytes / 1024 / 1024} MiB.`);
      await take(chunk);
    }
  } catch (error) {
    if (error instanceof HostError) throw error;
    const { message, cause } = error as Error;
    const why = cause instanceof Error && cause.message !== '' ? cause.message : message;
    throw failed(`${address} could not be fetched: ${why}.`, error);
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function numbersOf(version: string): number[] | undefined {
  return /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version) ? version.split('.').map(Number) : undefined;
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at === -1 ? 0 : one[at]! - other[at]!;
}

function failed(message: string, cause?: unknown): HostError {
  return new HostError('Failed', message, { cause });
}
