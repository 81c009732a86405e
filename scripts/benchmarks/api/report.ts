import type { MeasuredEndpoint } from './endpoints.ts';
import type { Round } from './measure.ts';

/** Medians of the rounds: the API and its floor with many accounts, and both with few. */
export interface Comparison {
  ours: Round;
  floor: Round;
  few: Round;
  fewFloor: Round;
}

const NAME_WIDTH = 34;
const FLOOR_GOAL = 0.7;
const STATEMENTS_GOAL = 2;
const GROWTH_GOAL = 1.2;
/** Statements of a round that do not belong to its requests: a repeated token lookup, a heartbeat. */
const STATEMENTS_BESIDE = 0.1;

export function printHead(rounds: number, connections: number): void {
  console.log(
    `medians of ${rounds} rounds with ${connections} connections; goals of reads: at least ${FLOOR_GOAL} of the floor, ` +
      `at most ${STATEMENTS_GOAL} statements, p99 at most ${GROWTH_GOAL} × that with 1,000 accounts\n`,
  );
  const columns = ['req/s', 'p50 ms', 'p99 ms', 'stmts', 'CPU µs', 'of floor', 'of its CPU', 'growth'];
  console.log(''.padEnd(NAME_WIDTH) + columns.map((name) => name.padStart(11)).join(''));
}

export function printRow(
  { name, isRead }: MeasuredEndpoint,
  { ours, floor, few, fewFloor }: Comparison,
): void {
  const ofFloor = ours.requestsPerSecond / floor.requestsPerSecond;
  const growth = ours.p99 / few.p99;
  const missed = [
    ...(ofFloor < FLOOR_GOAL ? ['floor'] : []),
    ...(ours.statements > STATEMENTS_GOAL + STATEMENTS_BESIDE ? ['statements'] : []),
    ...(growth > GROWTH_GOAL ? ['growth'] : []),
  ];
  const verdict = !isRead ? '' : missed.length === 0 ? '  reached' : `  MISSED: ${missed.join(', ')}`;
  printFigures(name, ours, [ofFloor, floor.cpuUs / ours.cpuUs, growth], verdict);
  printFigures('  floor', floor, [1, 1, floor.p99 / fewFloor.p99]);
  printFigures('  with 1,000 accounts', few, [
    few.requestsPerSecond / fewFloor.requestsPerSecond,
    fewFloor.cpuUs / few.cpuUs,
  ]);
  printFigures('  floor with 1,000 accounts', fewFloor, []);
}

function printFigures(name: string, round: Round, ratios: readonly number[], verdict = ''): void {
  const figures = [
    round.requestsPerSecond.toFixed(0),
    round.p50.toFixed(2),
    round.p99.toFixed(2),
    round.statements.toFixed(2),
    round.cpuUs.toFixed(0),
    ...ratios.map((ratio) => ratio.toFixed(2)),
  ];
  if (process.stdout.isTTY) process.stdout.write('\r');
  console.log(name.padEnd(NAME_WIDTH) + figures.map((figure) => figure.padStart(11)).join('') + verdict);
}
