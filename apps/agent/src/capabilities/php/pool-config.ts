import { homePath, phpDefaults } from '@innkeeper/domain';
import type { AccountSpec } from '@innkeeper/protocol';
import { OWNERSHIP_HEADER } from '../../node/durable-files.ts';
import { refused } from '../../node/host-error.ts';
import { socketPath } from './php.ts';

/**
 * The configuration of one account's FPM. Values consist only of the user's name and numbers. The encoder refuses every
 * character that has a meaning in the format.
 *
 * The number of workers varies between one and the maximum that memory and processes allow. The slice enforces the
 * account's limits in any case. These numbers only keep FPM from reaching them.
 */
const WORKER_MIB = 48;
const MOST_WORKERS = 40;
const SAFE_VALUE = /^[A-Za-z0-9_./@:, -]+$/;

export function poolConfig(spec: AccountSpec): string {
  const home = homePath(spec.linux_user);
  const workers = workersFor(spec);
  const spare = Math.min(workers, 2);
  const defaults = phpDefaults(spec.limits.ram_mb);
  return encode([
    ['global', globalSettings],
    [
      'site',
      [
        ['listen', socketPath(spec.uid)],
        ['pm', 'dynamic'],
        ['pm.max_children', `${workers}`],
        ['pm.start_servers', '1'],
        ['pm.min_spare_servers', '1'],
        ['pm.max_spare_servers', `${spare}`],
        ['pm.max_requests', '1000'],
        ['chdir', home],
        ['catch_workers_output', 'yes'],
        ['decorate_workers_output', 'no'],
        ['clear_env', 'yes'],
        ['env[HOME]', home],
        ['env[USER]', spec.linux_user],
        ['env[PATH]', '/usr/local/bin:/usr/bin:/bin'],
        ['php_admin_value[error_log]', `${home}/logs/php-error.log`],
        ['php_admin_flag[log_errors]', 'on'],
        ['php_admin_value[sendmail_path]', '/usr/lib/innkeeper/sendmail -t -i'],
        ['php_value[memory_limit]', `${defaults.memory_limit_mb}M`],
        ['php_value[upload_max_filesize]', `${defaults.upload_mb}M`],
        ['php_value[post_max_size]', `${defaults.upload_mb}M`],
        ['php_value[max_execution_time]', `${defaults.execution_s}`],
        ['php_value[max_input_vars]', `${defaults.input_vars}`],
        ['php_flag[display_errors]', defaults.display_errors ? 'on' : 'off'],
        ['php_value[session.save_path]', `${home}/.php/sessions`],
        ['php_value[session.gc_probability]', '1'],
        ['php_value[upload_tmp_dir]', `${home}/.php/tmp`],
      ],
    ],
  ]);
}

const globalSettings: Settings = [
  ['error_log', 'syslog'],
  ['log_level', 'warning'],
  ['daemonize', 'no'],
  // Timeout for current requests after FPM received the signal to stop.
  ['process_control_timeout', '20s'],
];

type Settings = readonly (readonly [key: string, value: string])[];

function workersFor({ limits }: AccountSpec): number {
  const byMemory = Math.floor(limits.ram_mb / WORKER_MIB);
  const byProcesses = Math.floor((limits.max_processes ?? Number.POSITIVE_INFINITY) / 2);
  return Math.max(1, Math.min(byMemory, byProcesses, MOST_WORKERS));
}

/** Throws HostError `Refused` for a value that could inject other settings. */
function encode(sections: readonly (readonly [name: string, settings: Settings])[]): string {
  const lines = sections.flatMap(([name, settings]) => [
    `[${name}]`,
    ...settings.map(([key, value]) => {
      if (!SAFE_VALUE.test(value))
        throw refused(`The value of ${key} is not allowed in the PHP configuration.`);
      return `${key} = ${value}`;
    }),
  ]);
  return `; ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\n${lines.join('\n')}\n`;
}
