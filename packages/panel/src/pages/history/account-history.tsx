import type { UsageRange } from '@innkeeper/domain';
import type { AccountFigures, HistoryPoint, TrafficFigures } from '@innkeeper/services';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Chart, ChartTable, Ranges } from '../../ui/chart/chart.tsx';
import { Card } from '../../ui/parts.tsx';
import { historyTexts } from './texts/index.ts';

const MIB = 1024 ** 2;

/** Charts of an account over a range. */
export function AccountHistory({
  path,
  range,
  points,
}: {
  path: string;
  range: UsageRange;
  points: readonly HistoryPoint<AccountFigures>[];
}) {
  const texts = useTexts(historyTexts);
  const { number, size } = useFormats();
  const times = points.map(({ at }) => at);
  const valuesOf = (value: (figures: AccountFigures) => number | null) =>
    points.map(({ figures }) => (figures === null ? null : value(figures)));
  const charts: [name: string, values: (number | null)[], shown: (value: number) => string][] = [
    [texts.cpu, valuesOf(({ cpu_percent }) => cpu_percent), (value) => `${number(value)} %`],
    [texts.memory, valuesOf(({ memory_mb }) => memory_mb), size],
    [texts.disk, valuesOf(({ disk_mb }) => disk_mb), size],
    [texts.traffic, valuesOf(({ sent_bytes }) => sent_bytes / MIB), size],
  ];
  const requests = [
    { name: texts.requests, values: valuesOf((figures) => figures.requests) },
    { name: texts.errors, values: valuesOf((figures) => figures.errors) },
  ];
  return (
    <Card
      title={texts.usage}
      id="usage"
      actions={<Ranges path={path} ranges={['24h', '7d', '30d', '2y']} current={range} />}
    >
      {charts.map(([name, values, shown]) => (
        <>
          <h3>{name}</h3>
          <Chart title={name} times={times} series={[{ name, values }]} hasTable={false} shown={shown} />
        </>
      ))}
      <h3>{texts.requestsAndErrors}</h3>
      <Chart
        title={texts.requestsAndErrors}
        times={times}
        series={requests}
        hasTable={false}
        shown={number}
      />
      <ChartTable
        title={texts.usage}
        times={times}
        columns={[
          ...charts.map(([name, values, shown]) => ({ name, values, shown })),
          ...requests.map((series) => ({ ...series, shown: number })),
        ]}
      />
    </Card>
  );
}

/** The traffic of a site on each of the last 30 days. */
export function SiteTraffic({ days }: { days: readonly HistoryPoint<TrafficFigures>[] }) {
  const texts = useTexts(historyTexts);
  const { number, size } = useFormats();
  const sum = (value: (figures: TrafficFigures) => number) =>
    days.reduce((total, { figures }) => total + (figures === null ? 0 : value(figures)), 0);
  const [sent, requests, errors] = [
    sum((of) => of.sent_bytes),
    sum((of) => of.requests),
    sum((of) => of.errors),
  ];
  return (
    <Card title={texts.trafficOfDays} id="traffic">
      {requests === 0 ? (
        <p class="muted">{texts.nothingVisited}</p>
      ) : (
        <>
          <p>{texts.sumOfDays(size(sent / MIB), number(requests), number(errors))}</p>
          <Chart
            title={texts.trafficOfDays}
            times={days.map(({ at }) => at)}
            series={[
              {
                name: texts.traffic,
                values: days.map(({ figures }) => (figures === null ? null : figures.sent_bytes / MIB)),
              },
            ]}
            days
            kind="bars"
            shown={size}
          />
        </>
      )}
    </Card>
  );
}
