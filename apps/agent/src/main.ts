import { parseArgs } from 'node:util';
import { ConfigError } from '@innkeeper/domain';
import { webUser } from './capabilities/node-host.ts';
import { adoptLists } from './capabilities/web/adopt-lists.ts';
import { SitesFolder } from './capabilities/web/sites-folder.ts';
import { showControlCheck } from './commands/check-control.ts';
import { enroll, readJoinToken } from './commands/enroll.ts';
import { installNodejsVersion, listNodejsVersions } from './commands/nodejs.ts';
import { run } from './commands/run.ts';
import { showStatus } from './commands/status.ts';
import { addressSchema, loadConfig, VERSION } from './config.ts';
import { Changes } from './node/changes.ts';

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
    case 'run':
      return run(config);
    case 'enroll': {
      const tokenFile = values['token-file'];
      if (tokenFile === undefined) throw new UsageError('enroll needs --token-file FILE.');
      const control = values.control ?? config.control;
      if (!addressSchema.optional().safeParse(control).success)
        throw new UsageError('--control needs HOST:PORT.');
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
      const joinToken = file === undefined ? undefined : await readJoinToken(file);
      return showControlCheck(values.control ?? config.control, joinToken, write);
    }
    case 'adopt-sites':
      write(`${adoptLists(new SitesFolder(webUser().gid, new Changes()))} sites\n`);
      return 0;
    case 'nodejs':
    // The command's name before 2026-11-23, in operators' scripts.
    case 'node': {
      const { npmRegistry: registry, nodejsVersions: offered } = config;
      const [verb, major] = rest;
      if (verb === 'list' && major === undefined) return listNodejsVersions({ registry, offered, write });
      if (verb === 'install' && major !== undefined)
        return installNodejsVersion(major, { registry, offered, write });
      throw new UsageError('nodejs needs "list" or "install MAJOR".');
    }
    case 'status': {
      const waitSeconds = Number(values.wait ?? '0');
      if (!(waitSeconds >= 0 && waitSeconds <= 3_600))
        throw new UsageError('--wait needs a number of seconds, at most 3600.');
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
