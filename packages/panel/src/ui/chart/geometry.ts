/** Size of the plot in its own units: it is stretched to the width of the page. */
export const PLOT = { width: 300, height: 100 } as const;

const STEPS = [1, 2, 2.5, 5, 10] as const;

/** The top of a scale that begins at 0: the next round value that is not below the highest. */
export function roundTop(highest: number): number {
  if (!(highest > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = STEPS.find((factor) => factor * power >= highest * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** Runs of points that follow each other without a gap, with the index of each. */
export function runsOf(values: readonly (number | null)[]): { at: number; value: number }[][] {
  const runs: { at: number; value: number }[][] = [];
  let isOpen = false;
  for (const [at, value] of values.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    if (!isOpen) runs.push([]);
    runs.at(-1)?.push({ at, value });
    isOpen = true;
  }
  return runs;
}

/** The path of a line with a gap where there is no value. A single point is a short line, so that it is visible. */
export function linePath(values: readonly (number | null)[], top: number): string {
  return runsOf(values)
    .map((run) => {
      const points = run.map(({ at, value }) => [xOf(at, values.length), yOf(value, top)] as const);
      const [first = [0, 0] as const] = points;
      const rest = points.length === 1 ? [[round(first[0] + 1), first[1]] as const] : points.slice(1);
      return `M${first.join(' ')}${rest.map((point) => `L${point.join(' ')}`).join('')}`;
    })
    .join('');
}

/** The path of the area below a line, in pieces. */
export function areaPath(values: readonly (number | null)[], top: number): string {
  return runsOf(values)
    .filter((run) => run.length > 1)
    .map((run) => {
      const x = (index: number) => xOf(run.at(index)?.at ?? 0, values.length);
      const points = run.map(({ at, value }) => `L${xOf(at, values.length)} ${yOf(value, top)}`).join('');
      return `M${x(0)} ${PLOT.height}${points}L${x(-1)} ${PLOT.height}z`;
    })
    .join('');
}

interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A bar for each value, with a pause between two. Undefined: no value. A value above 0 is always visible. */
export function bars(values: readonly (number | null)[], top: number): (Bar | undefined)[] {
  const step = PLOT.width / Math.max(1, values.length);
  return values.map((value, at) => {
    if (value === null) return undefined;
    const height = value > 0 ? Math.max(1, PLOT.height - yOf(value, top)) : 0;
    return {
      x: round(at * step + step * 0.15),
      y: round(PLOT.height - height),
      width: round(step * 0.7),
      height: round(height),
    };
  });
}

/** `count` indexes from the first to the last, at equal distances. */
export function evenly(length: number, count: number): number[] {
  if (length <= count) return Array.from({ length }, (_, at) => at);
  return Array.from({ length: count }, (_, at) => Math.round((at * (length - 1)) / (count - 1)));
}

function xOf(at: number, count: number): number {
  return round((at * PLOT.width) / Math.max(1, count - 1));
}

function yOf(value: number, top: number): number {
  return round(PLOT.height - (Math.min(value, top) / top) * PLOT.height);
}

const round = (value: number) => Math.round(value * 10) / 10;
