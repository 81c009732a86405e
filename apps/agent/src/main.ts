import { parseArgs } from 'node:util';
import { ConfigError } from '@innkeeper/domain';
import { webUser } from './capabilities/node-host.ts';
import { adoptLists } from './capabilities/web/adopt-lists.ts';
import { SitesFolder } from './capabilities/web/sites-folder.ts';
import { enroll } from './commands/enroll.ts';
import { installNodejsVersion, listNodejsVersions } from './commands/nodejs.ts';
import { run } from './commands/run.ts';
import { showStatus } from './commands/status.ts';
import { addressSchema, loadConfig, VERSION } from './config.ts';
import { Changes } from './node/changes.ts';

const USAGE = `innkeeper-agent ${VERSION}: makes this server's hosting accounts what they should be.

  innkeeper-agent [run]                       the service (systemd runs it)
  innkeeper-agent enroll --token-file FILE    trades a join token for this server's identity
  innkeeper-agent status [--json]             what the running agent does
  innkeeper-agent nodejs list                 the versions of Node.js that apps can have
  innkeeper-agent nodejs install MAJOR        fetches one ahead of its first app, or its newest release

  enroll   --token-file FILE     "-" is standard input
           --control HOST:PORT   where the control plane takes agents, if not where the token says
  status   --json                for programs
           --wait SECONDS        until the agent is ready
  --version, --help

systemctl reload innkeeper-agent looks at every account at once.
Settings: /etc/innkeeper/agent.conf. Exit codes: 0 done, 1 failed or not ready, 2 wrong usage,
3 no agent answers, 78 settings that cannot be used.
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
    throw new UsageError(`"${rest.at(-1)}" is one word too many.`);
  const config = loadConfig();
  switch (command) {
    case 'run':
      return run(config);
    case 'enroll': {
      const tokenFile = values['token-file'];
      if (tokenFile === undefined) throw new UsageError('enroll needs --token-file FILE.');
      const control = values.control ?? config.control;
      if (!addressSchema.optional().safeParse(control).success)
        throw new UsageError('--control takes HOST:PORT.');
      return enroll({
        tokenFile,
        control,
        stateDir: config.stateDir,
        write,
      });
    }
    // For the installer, not for operators.
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
      throw new UsageError('nodejs takes "list" or "install MAJOR".');
    }
    case 'status': {
      const waitSeconds = Number(values.wait ?? '0');
      if (!(waitSeconds >= 0 && waitSeconds <= 3_600))
        throw new UsageError('--wait takes a number of seconds, at most 3600.');
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
  if (error instanceof UsageError) process.stderr.write('innkeeper-agent --help shows how.\n');
  if (error instanceof UsageError) process.exitCode = EXIT_USAGE;
  else if (error instanceof ConfigError) process.exitCode = EXIT_CONFIG;
  else process.exitCode = 1;
}
