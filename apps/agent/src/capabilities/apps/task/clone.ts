import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Commit, isSshRepository, readCommit } from '@innkeeper/domain';
import type { BuildTools } from './build.ts';
import { findGitServer, type GitServer } from './git-server.ts';
import { isGitServerAway } from './git-server-away.ts';
import type { GitSource } from './job.ts';
import { TaskFailure } from './task-failure.ts';

/** Output of `git log`: fields end with a zero byte. A name or subject of megabytes is cut before it is kept. */
const LOG_MAX_BYTES = 16_384;

/**
 * Clones the newest commit of a branch, as the account. Git reads no settings except these, uses no hooks and no
 * submodules (a submodule's address was not checked), and follows no redirects. It connects only to the address that
 * was checked. A deploy key is in the task's own /tmp, which is removed with the task. A server's SSH key is trusted on
 * first use, and only that key later. Returns the commit; undefined for one that Git cannot show.
 */
export async function clone(
  folder: string,
  into: string,
  source: GitSource,
  { exec, log, signal }: BuildTools,
): Promise<Commit | undefined> {
  const server = await findGitServer(source.repository, source.allowedNetworks);
  const config = [
    'protocol.allow=never',
    'protocol.https.allow=always',
    'protocol.ssh.allow=always',
    'http.followRedirects=false',
    'http.proxy=',
    `http.curloptResolve=${server.host}:${server.port}:${bracketed(server.address)}`,
    'core.hooksPath=/dev/null',
    'credential.helper=',
    'transfer.fsckObjects=true',
  ];
  log.write(`$ git clone of ${source.branch}\n`);
  const variables = {
    HOME: process.cwd(),
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ASKPASS: '/bin/false',
    ...(isSshRepository(source.repository) ? { GIT_SSH_COMMAND: ssh(folder, source, server) } : {}),
  };
  const settings = config.flatMap((setting) => ['-c', setting]);
  const ended = await exec.follow(
    '/usr/bin/git',
    [
      ...settings,
      ...['clone', '--depth=1', '--single-branch', '--no-tags', '--no-recurse-submodules', '--no-local'],
      ...['--template=', `--branch=${source.branch}`, '--', source.repository, into],
    ],
    {
      variables,
      cwd: process.cwd(),
      signal,
      onOutput: (chunk) => log.write(chunk),
    },
  );
  if (ended.exitCode !== 0)
    throw new TaskFailure('The repository could not be cloned.', {
      retry: await isGitServerAway(source.repository, server),
    });
  const written: Uint8Array[] = [];
  await exec.follow(
    '/usr/bin/git',
    [
      ...[...settings, `--git-dir=${join(into, '.git')}`, 'log', '-1', '--no-show-signature', '--no-color'],
      ...['--encoding=UTF-8', '--format=tformat:%H%x00%an%x00%s%x00'],
    ],
    { variables, cwd: process.cwd(), signal, onOutput: (chunk) => written.push(chunk) },
  );
  rmSync(join(into, '.git'), { recursive: true, force: true });
  const shown = Buffer.concat(written).subarray(0, LOG_MAX_BYTES).toString('utf8');
  const [hash = '', author = '', subject = ''] = shown.split('\0');
  const commit = readCommit({ hash, author, subject });
  if (commit !== undefined)
    log.write(`Commit ${commit.hash.slice(0, 12)} by ${commit.author}: ${commit.subject}\n`);
  return commit;
}

/** Git passes this command to a shell: it contains only our own paths. */
function ssh(folder: string, { deployKey }: GitSource, server: GitServer): string {
  const known = resolve(folder, '.ssh');
  mkdirSync(known, { recursive: true, mode: 0o700 });
  const key = '/tmp/deploy-key';
  if (deployKey !== '') writeFileSync(key, `${deployKey.trimEnd()}\n`, { mode: 0o600 });
  const settings = [
    'Host *',
    `HostName ${server.address}`,
    `HostKeyAlias ${server.host}`,
    `UserKnownHostsFile ${join(known, 'known_hosts')}`,
    'GlobalKnownHostsFile /dev/null',
    'StrictHostKeyChecking accept-new',
    ...(deployKey === '' ? ['PubkeyAuthentication no'] : [`IdentityFile ${key}`]),
    'IdentitiesOnly yes',
    'IdentityAgent none',
    'BatchMode yes',
    'PreferredAuthentications publickey',
    'ConnectTimeout 30',
  ];
  writeFileSync('/tmp/ssh-config', `${settings.join('\n')}\n`, { mode: 0o600 });
  return '/usr/bin/ssh -F /tmp/ssh-config';
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
