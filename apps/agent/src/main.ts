import { parseArgs } from 'node:util';
import { ConfigError } from '@innkeeper/domain';
import { addressSchema, loadConfig, VERSION } from './config.ts';

const USAGE = `innkeeper-agent ${VERSION}: applies the desired state of the hosting accounts of this server.

  innkeeper-agent [run]                       runs the service (systemd does this)
  innkeeper-agent enroll --token-file FILE    exchanges a join token for this server's identity
  innkeeper-agent status [--json]             shows the state of the running agent
  innkeeper-agent nodejs list                 lists the versions of Node.js for apps
  innkeeper-agent nodejs install MAJOR        installs a version before its first app, or its newest release

  enroll   --token-file FILE     file with the join token; "-" reads standard input
           --control HOST:PORT   address of the control plane (default: the address in the token)
  status   --json                prints JSON
           --wait SECONDS        waits until the agent is ready
  --version, --help

systemctl reload innkeeper-agent checks every account now.
Settings: /etc/innkeeper/agent.conf. Exit codes: 0 success, 1 failed or not ready, 2 invalid arguments,
3 no agent answers, 78 invalid settings.
`;

const EXIT_USAGE = 2;
const EXIT_CONFIG = 78;

class UsageError extends Error {}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments(args);
  const write = (text: string) => void process.stdout.write(text);
  if (values.version === true) write(`${VERSION}\n`);
  else if (values.help === true) write(USAGE);
  else return runCommand(positionals, values, write);
  return 0;
}

/** Each command loads only its own modules: loading all of them takes a quarter of a second of CPU time. */
async function runCommand(
  positionals: string[],
  values: ReturnType<typeof parseArguments>['values'],
  write: (text: string) => void,
): Promise<number> {
  const [command = 'run', ...rest] = positionals;
  if (rest.length > (command === 'nodejs' || command === 'node' ? 2 : 0))
    throw new UsageError(`Unexpected argument: "${rest.at(-1)}".`);
  const config = loadConfig();
  switch (command) {
    case 'run': {
      const { run } = await import('./commands/run.ts');
      return run(config);
    }
    case 'enroll': {
      const tokenFile = values['token-file'];
      if (tokenFile === undefined) throw new UsageError('enroll needs --token-file FILE.');
      const control = values.control ?? config.control;
      if (!addressSchema.optional().safeParse(control).success)
        throw new UsageError('--control needs HOST:PORT.');
      const { enroll } = await import('./commands/enroll.ts');
      return enroll({
        tokenFile,
        control,
        stateDir: config.stateDir,
        write,
      });
    }
    // The next two are for the installer, not for operators.
    case 'check-control': {
      const file = values['token-file'];
      const { readJoinToken } = await import('./commands/enroll.ts');
      const joinToken = file === undefined ? undefined : await readJoinToken(file);
      const { showControlCheck } = await import('./commands/check-control.ts');
      return showControlCheck(values.control ?? config.control, joinToken, write);
    }
    case 'adopt-sites': {
      const { adoptSites } = await import('./commands/adopt-sites.ts');
      return adoptSites(write);
    }
    case 'nodejs':
    // The command's name before 2026-11-23, in operators' scripts.
    case 'node': {
      const { npmRegistry: registry, nodejsVersions: offered } = config;
      const [verb, major] = rest;
      const { installNodejsVersion, listNodejsVersions } = await import('./commands/nodejs.ts');
      if (verb === 'list' && major === undefined) return listNodejsVersions({ registry, offered, write });
      if (verb === 'install' && major !== undefined)
        return installNodejsVersion(major, { registry, offered, write });
      throw new UsageError('nodejs needs "list" or "install MAJOR".');
    }
    case 'status': {
      const waitSeconds = Number(values.wait ?? '0');
      if (!(waitSeconds >= 0 && waitSeconds <= 3_600))
        throw new UsageError('--wait needs a number of seconds, at most 3600.');
      const { showStatus } = await import('./commands/status.ts');
      return showStatus({ socket: config.statusSocket, json: values.json === true, waitSeconds, write });
    }
    default:
      throw new UsageError(`"${command}" is not a command.`);
  }
}

function parseArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        'token-file': { type: 'string' },
        control: { type: 'string' },
        json: { type: 'boolean' },
        wait: { type: 'string' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`innkeeper-agent: ${message}\n`);
  if (error instanceof UsageError) process.stderr.write('Run innkeeper-agent --help for the usage.\n');
  if (error instanceof UsageError) process.exitCode = EXIT_USAGE;
  else if (error instanceof ConfigError) process.exitCode = EXIT_CONFIG;
  else process.exitCode = 1;
}
