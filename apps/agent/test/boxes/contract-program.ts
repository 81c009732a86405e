import { readFileSync } from 'node:fs';
import { contract, type Rig } from '../driver-contract.ts';
import { RealServer } from './real-rig.ts';

/**
 * Runs the cases named on standard input on this server, one after the other, with crashes after the changes named
 * there. Prints one line of JSON for each.
 */
const input = JSON.parse(readFileSync(0, 'utf8')) as { names: string[]; crashes: Rig['crashes'] };
const wanted = new Set(input.names);
const rig = new RealServer(input.crashes);
for (const { name, run } of contract.filter((entry) => wanted.has(entry.name))) {
  const startedAt = performance.now();
  let failure = '';
  try {
    await run(rig);
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  console.log(JSON.stringify({ name, failure, ms: Math.round(performance.now() - startedAt) }));
}
