import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { DomainError } from '@innkeeper/domain';
import { ensureKeyFolder } from '@innkeeper/protocol/keys';
import { Command, InvalidArgumentError } from 'commander';
import { type Innctl, type OutputOptions, print } from '../innctl.ts';
import { renderRecord } from '../output/table.ts';

interface InitOptions extends OutputOptions {
  keys: string;
  host: string[];
  natsPort: number;
  group: string;
}

/** `innctl init`: the key folder of a control plane. */
export function initCommand({ terminal }: Innctl): Command {
  return new Command('init')
    .description('create the keys of a control plane, or the missing ones')
    .requiredOption('--keys <dir>', 'folder of the keys')
    .requiredOption(
      '--host <host[,host...]>',
      'host names and addresses where nodes reach this control plane',
      parseHosts,
    )
    .option('--nats-port <port>', 'port of the NATS server', parsePort, 4222)
    .option('--group <name>', 'group of the API; it can read the files that the API needs', 'innkeeper')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
The command is idempotent: it never replaces an existing key. You can repeat it, also with other hosts. If root
runs it, the files belong to root and the group. If the group does not exist, only root can read them until the
command runs again. Keep a backup of the folder in a safe place. Without ca.key and nats/account.seed you must
enrol every node again. Without sealing-keys.json the stored secrets are lost.

The folder holds the configuration of the NATS server: nats-server -c DIR/nats/nats-server.conf`,
    )
    .action(async (options: InitOptions) => {
      const gid = await findGroupId(options.group);
      const result = await ensureKeyFolder(options.keys, {
        hosts: options.host,
        natsPort: options.natsPort,
        gid,
      });
      const note =
        gid === null && process.getuid?.() === 0
          ? `\nThe group ${options.group} does not exist yet. Create it, then run this command again, so that the API can read the keys.`
          : '';
      print(
        terminal,
        options,
        {
          created: result.created,
          kept: result.kept,
          ca_fingerprint: result.caFingerprint,
          nats_config: result.natsConfigFile,
        },
        renderRecord([
          ['written', result.created.length],
          ['kept', result.kept.length],
          ['CA fingerprint', result.caFingerprint],
          ['NATS configuration', result.natsConfigFile],
        ]) + note,
      );
    });
}

function parseHosts(text: string): string[] {
  const hosts = text.split(',').map((host) => host.trim());
  for (const host of hosts)
    if (isIP(host) === 0 && !/^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(host))
      throw new InvalidArgumentError(`"${host}" is not a host name or an IP address.`);
  return hosts;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError('The value must be a number from 1 to 65535.');
  return port;
}

/** Id of a group in /etc/group. Null if the group does not exist or the process is not root. */
async function findGroupId(name: string): Promise<number | null> {
  if (process.getuid?.() !== 0) return null;
  const line = (await readFile('/etc/group', 'utf8'))
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (line === undefined) return null;
  const gid = Number(line.split(':')[2]);
  if (!Number.isInteger(gid))
    throw new DomainError('precondition_failed', `/etc/group has no id for ${name}.`);
  return gid;
}
