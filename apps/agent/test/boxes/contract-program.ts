import { contract } from '../driver-contract.ts';
import { RealServer } from './real-rig.ts';

/** Runs the cases of the contract on this server, one after the other; one line of JSON for each. */
const rig = new RealServer();
for (const { name, run } of contract) {
  const startedAt = performance.now();
  let failure = '';
  try {
    await run(rig);
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  console.log(JSON.stringify({ name, failure, ms: Math.round(performance.now() - startedAt) }));
}
