import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createCertificateAuthority,
  loadCertificateAuthority,
  signServerCertificate,
} from '@innkeeper/protocol/identity';

/** A Git server over HTTPS on this machine, with one repository. */
export interface GitOverHttps {
  /** `https://address:port/` */
  readonly url: string;
  /** The authority that signed its certificate. */
  readonly authorityPem: string;
  /** Commits these files to `main`, in addition to the existing ones. */
  commit(files: Readonly<Record<string, string>>): void;
  /** Requests wait from now on, until `release` is called. `asked` returns true once a request waits. */
  hold(): { asked(): boolean; release(): void };
  stop(): Promise<void>;
}

/** Serves `app.git`, whose branch `main` has these files; `moved.git` redirects to it. */
export async function startGitOverHttps(
  address: string,
  files: Readonly<Record<string, string>>,
): Promise<GitOverHttps> {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-git-'));
  makeRepository(folder, files);
  const made = await createCertificateAuthority();
  const authority = loadCertificateAuthority(made.certificatePem, made.keyPem);
  const { chainPem, keyPem } = await signServerCertificate(authority, {
    hosts: [address],
    lifetimeMs: 3_600_000,
  });
  let gate: { opened: Promise<void>; asked: boolean } | undefined;
  const server = createServer({ cert: chainPem, key: keyPem }, async (request, response) => {
    if (gate !== undefined) {
      gate.asked = true;
      await gate.opened;
    }
    const path = request.url ?? '/';
    if (path.startsWith('/moved.git'))
      response.writeHead(302, { location: path.replace('/moved.git', '/app.git') }).end();
    else runBackend(folder, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    url: `https://${address}:${(server.address() as AddressInfo).port}/`,
    authorityPem: authority.certificatePem,
    commit: (more) => commit(folder, more),
    hold: () => {
      const { promise: opened, resolve: release } = Promise.withResolvers<void>();
      const held = { opened, asked: false };
      gate = held;
      return {
        asked: () => held.asked,
        release: () => {
          gate = undefined;
          release();
        },
      };
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

function makeRepository(folder: string, files: Readonly<Record<string, string>>): void {
  git(folder, 'init', '-q', '--bare', '-b', 'main', 'app.git');
  git(folder, 'init', '-q', '-b', 'main', 'work');
  commit(folder, files);
}

function commit(folder: string, files: Readonly<Record<string, string>>): void {
  const work = join(folder, 'work');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  git(work, 'add', '.');
  git(work, 'commit', '-qm', 'one');
  git(work, 'push', '-q', join(folder, 'app.git'), 'main');
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd });
}

/** Git's own server, over CGI: headers, an empty line, the body. */
function runBackend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'https://localhost');
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: '/usr/bin:/bin',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.on('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const head = answer.subarray(0, end).toString('latin1').split('\r\n');
    const fields = head.map((line) => line.split(': ', 2) as [string, string]);
    const status = Number(fields.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? '200');
    response
      .writeHead(status, fields.filter(([name]) => name !== 'Status').flat())
      .end(answer.subarray(end + 4));
  });
}
