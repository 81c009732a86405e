import { parseArgs } from 'node:util';
import { benchProvision } from './benchmarks/provision.ts';

const USAGE = `usage: ./scripts/bench [NAME] [--rounds N]

  provision   POST /accounts and POST /domains until both are true on a hosting server, beside the same
              steps typed by hand there

Without a name every benchmark runs. Each starts an installation of its own below .run-bench/ and removes it.`;

const benchmarks: Record<string, (rounds: number) => Promise<void>> = { provision: benchProvision };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '20' }, help: { type: 'boolean', default: false } },
});
const rounds = Number(values.rounds);
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name));
if (values.help || unknown.length > 0 || !Number.isInteger(rounds) || rounds < 3) {
  if (unknown.length > 0) console.error(`There is no benchmark ${unknown.join(', ')}.\n`);
  else if (!values.help) console.error('--rounds takes a whole number from 3.\n');
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
for (const name of names) await benchmarks[name]?.(rounds);
