import { parseArgs } from 'node:util';
import { benchApi } from './benchmarks/api.ts';
import { benchNode } from './benchmarks/node.ts';
import { benchPanel } from './benchmarks/panel.ts';
import { benchProvision } from './benchmarks/provision.ts';

const USAGE = `usage: ./scripts/bench [NAME] [--rounds N] [--only TEXT] [--accounts N] [--keep]

  provision   POST /accounts and POST /domains until both are true on a hosting server, beside the same
              steps typed by hand there (20 rounds)
  api         the API with 100,000 and with 1,000 accounts, beside bare hono and mysql2 that do the same
              (7 rounds); --only: the endpoints whose name holds the text
  panel       pages of the panel with 100,000 accounts, beside the REST requests with the same data (7 rounds);
              --only: the pages whose name holds the text
  node        one more account and one more domain on a hosting server that has 5,000 accounts and 10,000 domains,
              beside one with 50 and 100; memory and restart of its agent (11 rounds, half an hour);
              --accounts: so many instead of 5,000; --keep: both servers stay for a closer look

Without a name every benchmark runs. Each starts what it needs below .run-bench/ (node: .run-bench-few/ as well) and removes it.`;

interface Options {
  only: string;
  accounts: number;
  keep: boolean;
}

const benchmarks: Record<string, (rounds: number | undefined, options: Options) => Promise<void>> = {
  provision: (rounds = 20) => benchProvision(rounds),
  api: (rounds = 7, { only }) => benchApi(rounds, only),
  panel: (rounds = 7, { only }) => benchPanel(rounds, only),
  node: (rounds = 11, { accounts, keep }) => benchNode(rounds, accounts, keep),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    only: { type: 'string', default: '' },
    accounts: { type: 'string', default: '5000' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const unknown = names.filter((name) => !Object.hasOwn(benchmarks, name));
const isRoundsWrong = rounds !== undefined && (!Number.isInteger(rounds) || rounds < 3);
const accounts = Number(values.accounts);
const isAccountsWrong = !Number.isInteger(accounts) || accounts < 100 || accounts > 20_000;
if (values.help || isAccountsWrong || unknown.length > 0 || isRoundsWrong) {
  if (unknown.length > 0) console.error(`There is no benchmark ${unknown.join(', ')}.\n`);
  else if (isAccountsWrong) console.error('--accounts takes a whole number from 100 to 20000.\n');
  else if (!values.help) console.error('--rounds takes a whole number from 3.\n');
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
for (const name of names)
  await benchmarks[name]?.(rounds, { only: values.only, accounts, keep: values.keep });
