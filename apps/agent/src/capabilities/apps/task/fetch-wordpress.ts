import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BuildTools } from './build.ts';
import type { WordPressSource } from './job.ts';
import { TaskFailure } from './task-failure.ts';

/** WordPress has about 30 MB. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Fetches and unpacks WordPress's archive. The operator of the URL is trusted, and TLS authenticates the server. If a
 * SHA-256 is configured, only that release is accepted.
 */
export async function fetchWordPress(
  { from, sha256 }: Pick<WordPressSource, 'from' | 'sha256'>,
  into: string,
  { exec, log, signal }: BuildTools,
): Promise<void> {
  // In the task's own /tmp, which is removed with the task.
  const archive = '/tmp/wordpress.tar.gz';
  log.write(`$ fetch ${from}\n`);
  const fetched = await download(from, archive, signal).catch((error: unknown) => {
    if (error instanceof TaskFailure) throw error;
    throw new TaskFailure(`WordPress could not be downloaded from ${new URL(from).host}.`, { retry: true });
  });
  if (sha256 !== null && fetched !== sha256)
    throw new TaskFailure(
      'The WordPress archive is not the one with the checksum in the server’s configuration.',
    );
  const { exitCode } = await exec.follow(
    '/usr/bin/tar',
    ['-xzf', archive, '-C', into, '--strip-components=1', '--no-same-owner', '--no-same-permissions'],
    { cwd: process.cwd(), variables: {}, signal, onOutput: (chunk) => log.write(chunk) },
  );
  await rm(archive, { force: true });
  if (exitCode !== 0) throw new TaskFailure('The WordPress archive is damaged.', { retry: true });
}

/** Returns the SHA-256 of the downloaded file. */
async function download(from: string, to: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(from, { signal });
  if (!response.ok || response.body === null)
    throw new TaskFailure(`${new URL(from).host} answered ${response.status} for WordPress.`, {
      retry: response.status >= 500,
    });
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > MAX_BYTES ? new TaskFailure('The WordPress archive is too large.') : null, chunk);
    },
  });
  await pipeline(response.body, counted, createWriteStream(to, { mode: 0o600 }));
  return hash.digest('hex');
}
