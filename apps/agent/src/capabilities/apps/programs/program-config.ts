import { homePath, readStartCommand } from '@innkeeper/domain';
import type { AccountSpec, AppSpec } from '@innkeeper/protocol';
import { appSocketPath } from '../../../node/app-paths.ts';
import { refused } from '../../../node/host-error.ts';

/**
 * The input of `run-app` for a program: records that end with a NUL. No value can contain a NUL, so no value can inject
 * another record. The environment is complete: a program inherits nothing from systemd or the agent.
 */
export interface ProgramConfig {
  readonly folder: string;
  readonly words: readonly string[];
  readonly environment: ReadonlyMap<string, string>;
}

/** Below 1024, where no account can listen: clients reach the program through the preload or not at all. */
const APP_PORT = '80';
const PRELOAD = '/usr/lib/innkeeper/app-preload.cjs';

/** `release` is the folder to run from. Throws HostError `Refused`. */
export function programConfig(spec: AccountSpec, app: AppSpec, release: string): ProgramConfig {
  const { words } = readStartCommand(app.start_command);
  if (words === undefined || app.node_version === null)
    throw refused(`App ${app.app_id} has no start command or no Node.js version.`);
  return { folder: release, words, environment: environmentOf(spec, app, app.node_version) };
}

function environmentOf(
  { linux_user }: AccountSpec,
  app: AppSpec,
  nodeVersion: string,
): ReadonlyMap<string, string> {
  const own = new Map(app.env.map(({ name, value }) => [name, value]));
  const options = own.get('NODE_OPTIONS');
  return new Map([
    ['NODE_ENV', 'production'],
    ['HOME', homePath(linux_user)],
    ['USER', linux_user],
    ['LOGNAME', linux_user],
    ['LANG', 'C.UTF-8'],
    ['SHELL', '/bin/sh'],
    ...own,
    ['PATH', `/opt/innkeeper/node/${nodeVersion}/bin:${own.get('PATH') ?? '/usr/local/bin:/usr/bin:/bin'}`],
    ['NODE_OPTIONS', `--require=${PRELOAD}${options === undefined ? '' : ` ${options}`}`],
    ['PORT', APP_PORT],
    ['SOCKET', appSocketPath(app.app_id)],
    // A configuration that differs starts a program that has failed.
    ...(app.retries === 0 ? [] : [['INNKEEPER_RETRIES', `${app.retries}`] as const]),
  ]);
}

/** The release folder in a configuration. */
export function releaseIn(text: string | undefined): string | undefined {
  return /^folder=[^\0]*\/releases\/(\d{1,16})\0/.exec(text ?? '')?.[1];
}

/** Throws HostError `Refused` for a value that a process cannot get. */
export function encodeProgramConfig({ folder, words, environment }: ProgramConfig): string {
  const records = [
    `folder=${folder}`,
    ...words.map((word) => `word=${word}`),
    ...[...environment].map(([name, value]) => `env=${name}=${value}`),
  ];
  if (
    records.some((record) => record.includes('\0')) ||
    [...environment.keys()].some((name) => name.includes('='))
  )
    throw refused('What a program is started with cannot hold a NUL, nor the name of a variable a "=".');
  return records.map((record) => `${record}\0`).join('');
}
