import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Box,
  type BoxStatus,
  findStateDir,
  inspectBoxes,
  openVirtualMachines,
} from '@innkeeper/testkit/machine';

const USAGE = `Opens the hosting servers (boxes and virtual machines) of this checkout.

  ./scripts/box list                   lists names, addresses and states
  ./scripts/box exec NAME -- CMD...    runs a command as root and exits with its exit code
  ./scripts/box shell NAME             opens a root shell

  --state DIR   uses those of another state folder (default: .run/)
`;

async function main(args: string[]): Promise<number> {
  let stateDir = join(import.meta.dirname, '..', '.run');
  if (args[0] === '--state' && args[1] !== undefined) {
    stateDir = args[1];
    args = args.slice(2);
  }
  const [verb, name, ...rest] = args;
  const command = rest[0] === '--' ? rest.slice(1) : rest;
  const isCall =
    (verb === 'list' && name === undefined) ||
    (verb === 'exec' && name !== undefined && command.length > 0) ||
    (verb === 'shell' && name !== undefined && command.length === 0);
  if (!isCall) {
    const asked = verb === undefined || verb === 'help' || verb === '--help' || verb === '-h';
    (asked ? process.stdout : process.stderr).write(USAGE);
    return asked ? 0 : 2;
  }
  if (!existsSync(join(stateDir, 'boxes'))) {
    throw new Error(`There are no boxes in ${stateDir}. Run ./scripts/up, which starts the first one.`);
  }
  const state = await findStateDir(stateDir);
  const boxes = await inspectBoxes(state);
  const machines = openVirtualMachines(state);
  const all = [...(await boxes.list()), ...(await machines.list())];
  if (verb === 'list') return list(all);
  const box: Box = (await machines.find(name!)) ?? (await boxes.get(name!));
  if (!all.some((status) => status.name === name && status.running))
    throw new Error(`The server ${name} is stopped. Run ./scripts/up, which starts it.`);
  return await box.attach(verb === 'shell' ? ['bash', '-l'] : command);
}

function list(servers: readonly BoxStatus[]): number {
  for (const { name, address, running } of servers) {
    console.log(`${name.padEnd(16)} ${address.padEnd(15)} ${running ? 'running' : 'stopped'}`);
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
