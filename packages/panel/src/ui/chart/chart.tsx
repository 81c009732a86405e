import { useFormats, useTexts } from '../../language/use-texts.ts';
import { uiTexts } from '../texts/index.ts';
import { areaPath, bars, evenly, linePath, PLOT, roundTop } from './geometry.ts';

/** Values over time. Null: nothing was measured, which is a gap and not 0. */
interface Series {
  name: string;
  values: readonly (number | null)[];
}

interface ChartProps {
  title: string;
  /** The times of the values, oldest first. */
  times: readonly Date[];
  /** At most three: they differ without color. */
  series: readonly Series[];
  /** Whether the values count for a day each: dates without a time. */
  days?: boolean;
  /** Lines for levels, bars for counts. Only the first series has bars. */
  kind?: 'line' | 'bars';
  /** The end of the scale, for instance the size of a disk. Default: a round value above the highest. */
  top?: number | undefined;
  /** False for charts that share a `ChartTable`: a page with a table for each is twice as large. */
  hasTable?: boolean;
  /** A value with its unit. */
  shown: (value: number) => string;
}

const LABELS = 5;
const LINES = 3;

/**
 * A chart as SVG from the server, without a script and an inline style. Its name says the range and the peak, and a table
 * has all values. The plot stretches; words stay HTML.
 */
export function Chart({
  title,
  times,
  series,
  days = false,
  kind = 'line',
  top,
  hasTable = true,
  shown,
}: ChartProps) {
  const texts = useTexts(uiTexts).chart;
  const { moment, day } = useFormats();
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const [first, last] = [times[0], times.at(-1)];
  if (values.length === 0 || first === undefined || last === undefined)
    return <p class="muted">{texts.nothing}</p>;
  const peak = Math.max(...values);
  const end = Math.max(top ?? 0, top === undefined ? roundTop(peak) : peak);
  const time = (at: Date) => (days ? day(at) : moment(at));
  const name = texts.range(title, time(first), time(last), shown(peak));
  return (
    <div class="stack">
      {series.length > 1 ? <Legend series={series} /> : null}
      <div class="chart chart-short">
        <div class="chart-y" aria-hidden="true">
          {evenly(LINES, LINES).map((at) => (
            <span>{shown((end * (LINES - 1 - at)) / (LINES - 1))}</span>
          ))}
        </div>
        <svg
          class="chart-plot"
          viewBox={`0 0 ${PLOT.width} ${PLOT.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={name}
        >
          <path class="grid-line" d={`M0 0H${PLOT.width}`} />
          <path class="grid-line" d={`M0 ${PLOT.height / 2}H${PLOT.width}`} />
          <path class="base-line" d={`M0 ${PLOT.height}H${PLOT.width}`} />
          {kind === 'bars' ? (
            <Bars values={series[0]?.values ?? []} top={end} />
          ) : (
            <Lines series={series} top={end} />
          )}
        </svg>
        <div class="chart-x" aria-hidden="true">
          {evenly(times.length, LABELS).map((at) => (
            <span>{labelOf(times, at, day)}</span>
          ))}
        </div>
      </div>
      {hasTable ? (
        <ChartTable
          title={title}
          times={times}
          columns={series.map((one) => ({ ...one, shown }))}
          days={days}
        />
      ) : null}
    </div>
  );
}

/** A small line without labels, for a row of a table. */
export function Spark({
  name,
  values,
  top,
}: {
  name: string;
  values: readonly (number | null)[];
  top: number;
}) {
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${PLOT.width} ${PLOT.height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name}
    >
      <path class="area-1" d={areaPath(values, top)} />
      <path class="line-1" d={linePath(values, top)} />
    </svg>
  );
}

function Lines({ series, top }: { series: readonly Series[]; top: number }) {
  return (
    <>
      {series.map(({ values }, at) => (
        <>
          {at === 0 ? <path class="area-1" d={areaPath(values, top)} /> : null}
          <path class={`line-${at + 1}`} d={linePath(values, top)} />
        </>
      ))}
    </>
  );
}

function Bars({ values, top }: { values: readonly (number | null)[]; top: number }) {
  return (
    <>
      {bars(values, top).map((bar) =>
        bar === undefined ? null : (
          <rect class="bar" x={bar.x} y={bar.y} width={bar.width} height={bar.height} />
        ),
      )}
    </>
  );
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul class="legend">
      {series.map(({ name }, at) => (
        <li>
          <span class={`key-line-${at + 1}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Within two days the time of the day, otherwise the date. */
function labelOf(times: readonly Date[], at: number, day: (at: Date) => string): string {
  const time = times[at];
  if (time === undefined) return '';
  const spanMs = (times.at(-1)?.getTime() ?? 0) - (times[0]?.getTime() ?? 0);
  return spanMs <= 2 * 86_400_000 ? time.toISOString().slice(11, 16) : day(time);
}

/** Every value of one or more charts with the same times, collapsed. */
export function ChartTable({
  title,
  times,
  columns,
  days = false,
}: {
  title: string;
  times: readonly Date[];
  columns: readonly (Series & { shown: (value: number) => string })[];
  days?: boolean;
}) {
  const texts = useTexts(uiTexts).chart;
  const { moment, day } = useFormats();
  if (columns.every(({ values }) => values.every((value) => value === null))) return null;
  return (
    <details>
      <summary>{texts.asTable}</summary>
      <div class="scroll chart-table">
        <table class="table">
          <caption class="sr">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              {columns.map(({ name }) => (
                <th scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {times.map((at, index) => (
              <tr>
                <th scope="row">{days ? day(at) : moment(at)}</th>
                {columns.map(({ name, values, shown }) => {
                  const value = values[index] ?? null;
                  return <td data-label={name}>{value === null ? texts.gap : shown(value)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Links to the ranges of a page with charts, which are its query parameter `range`. */
export function Ranges<Name extends keyof typeof uiTexts.en.chart.ranges>({
  path,
  ranges,
  current,
}: {
  path: string;
  ranges: readonly Name[];
  current: Name;
}) {
  const texts = useTexts(uiTexts).chart;
  return (
    <nav class="actions" aria-label={texts.rangeName}>
      {ranges.map((range) => (
        <a
          class="btn btn-small"
          href={`${path}?range=${range}`}
          aria-current={range === current ? 'true' : undefined}
        >
          {texts.ranges[range]}
        </a>
      ))}
    </nav>
  );
}
