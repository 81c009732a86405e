import { parseArgs } from 'node:util';
import { benchApi } from './benchmarks/api.ts';
import { benchNode } from './benchmarks/node.ts';
import { benchPanel } from './benchmarks/panel.ts';
import { benchProvision } from './benchmarks/provision.ts';

const USAGE = `usage: ./scripts/bench [NAME] [--rounds N] [--only TEXT] [--accounts N] [--keep]

  provision   POST /accounts and POST /domains until a hosting server has applied both, compared with the same
              steps by hand on that server (20 rounds)
  api         the API with 100,000 and with 1,000 accounts, compared with a program of hono and mysql2 that does the
              same (7 rounds); --only: only endpoints whose name contains the text
  panel       pages of the panel with 100,000 accounts, compared with the REST requests for the same data (7 rounds);
              --only: only pages whose name contains the text
  node        one more account and one more domain on a hosting server with 5,000 accounts and 10,000 domains,
              compared with a server with 50 and 100; memory and restart of its agent (11 rounds, half an hour);
              --accounts: another number than 5,000; --keep: keeps both servers after the run

Without a name all benchmarks run. Each starts its servers in .run-bench/ (node: also .run-bench-few/) and removes them.`;

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
  if (unknown.length > 0) console.error(`Unknown benchmark: ${unknown.join(', ')}.\n`);
  else if (isAccountsWrong) console.error('--accounts must be a whole number from 100 to 20000.\n');
  else if (!values.help) console.error('--rounds must be a whole number of at least 3.\n');
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
for (const name of names)
  await benchmarks[name]?.(rounds, { only: values.only, accounts, keep: values.keep });
