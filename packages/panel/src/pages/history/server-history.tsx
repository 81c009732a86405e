import type { UsageRange } from '@innkeeper/domain';
import type { HistoryPoint, ServerFigures, ServiceState } from '@innkeeper/services';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Chart, ChartTable, Ranges } from '../../ui/chart/chart.tsx';
import { Badge, Card } from '../../ui/parts.tsx';
import { historyTexts } from './texts/index.ts';

const MIB = 1024 ** 2;

/** Charts of a server over a range. */
export function ServerHistory({
  path,
  range,
  points,
}: {
  path: string;
  range: UsageRange;
  points: readonly HistoryPoint<ServerFigures>[];
}) {
  const texts = useTexts(historyTexts);
  const { number, size } = useFormats();
  const times = points.map(({ at }) => at);
  const valuesOf = (value: (figures: ServerFigures) => number) =>
    points.map(({ figures }) => (figures === null ? null : value(figures)));
  const largest = (value: (figures: ServerFigures) => number) =>
    Math.max(0, ...valuesOf(value).filter((one) => one !== null)) || undefined;
  const percent = (value: number) => `${number(value)} %`;
  const perSecond = (value: number) => `${number(value)}/s`;
  const cpu = { name: texts.cpu, values: valuesOf((of) => of.cpu_percent), shown: percent };
  const memory = { name: texts.memory, values: valuesOf((of) => of.memory_mb), shown: size };
  const disk = { name: texts.disk, values: valuesOf((of) => of.disk_mb), shown: size };
  const traffic = { name: texts.traffic, values: valuesOf((of) => of.sent_bytes / MIB), shown: size };
  const running = {
    name: texts.runningAccounts,
    values: valuesOf((of) => of.running_accounts),
    shown: number,
  };
  const requests = [
    { name: texts.requests, values: valuesOf((of) => of.requests_per_s), shown: perSecond },
    { name: texts.errors, values: valuesOf((of) => of.errors_per_s), shown: perSecond },
  ];
  const one = (column: typeof cpu) => ({
    title: column.name,
    times,
    series: [column],
    hasTable: false,
    shown: column.shown,
  });
  return (
    <>
      <Card
        title={texts.usage}
        id="usage"
        actions={<Ranges path={path} ranges={['24h', '7d', '30d']} current={range} />}
      >
        <h3>{texts.cpu}</h3>
        <Chart {...one(cpu)} top={100} />
        <ChartTable
          title={texts.usage}
          times={times}
          columns={[cpu, memory, disk, traffic, ...requests, running]}
        />
      </Card>
      <div class="half">
        <Card title={texts.memory}>
          <Chart {...one(memory)} top={largest(({ memory_total_mb }) => memory_total_mb)} />
        </Card>
        <Card title={texts.disk}>
          <Chart {...one(disk)} top={largest(({ disk_total_mb }) => disk_total_mb)} />
        </Card>
        <Card title={texts.traffic}>
          <Chart {...one(traffic)} />
        </Card>
        <Card title={texts.requestsAndErrors}>
          <Chart
            title={texts.requestsAndErrors}
            times={times}
            series={requests}
            hasTable={false}
            shown={perSecond}
          />
        </Card>
        <Card title={texts.runningAccounts}>
          <Chart {...one(running)} />
        </Card>
      </div>
    </>
  );
}

/** The services that accounts need. Null: nothing is known. */
export function Services({ services }: { services: readonly ServiceState[] | null }) {
  const texts = useTexts(historyTexts);
  return (
    <Card title={texts.services}>
      {services === null ? (
        <p class="muted">{texts.servicesUnknown}</p>
      ) : (
        <ul class="rows">
          {services.map(({ name, running }) => (
            <li>
              <div class="grow">
                <b>{name}</b>
              </div>
              <Badge tone={running ? 'good' : 'bad'}>{running ? texts.running : texts.stopped}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
