import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Boxes, findStateDir, inspectBoxes } from '@innkeeper/testkit/machine';

const USAGE = `Looks into the hosting servers (boxes) of this checkout.

  ./scripts/box list                   names, addresses, and whether they run
  ./scripts/box exec NAME -- CMD...    runs a command as root and ends with its exit code
  ./scripts/box shell NAME             a root shell

  --state DIR   the boxes of another state folder than .run/
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
    throw new Error(`there are no boxes in ${stateDir}: ./scripts/up starts the first`);
  }
  const boxes = await inspectBoxes(await findStateDir(stateDir));
  if (verb === 'list') return await list(boxes);
  const box = await boxes.get(name!);
  if (!(await boxes.list()).some((status) => status.name === name && status.running))
    throw new Error(`${name} is stopped: ./scripts/up starts it`);
  return await box.attach(verb === 'shell' ? ['bash', '-l'] : command);
}

async function list(boxes: Boxes): Promise<number> {
  for (const { name, address, running } of await boxes.list()) {
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
