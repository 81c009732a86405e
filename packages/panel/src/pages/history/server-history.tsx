import type { UsageRange } from '@innkeeper/domain';
import type { HistoryPoint, ServerFigures, ServiceState } from '@innkeeper/services';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Chart, Ranges } from '../../ui/chart/chart.tsx';
import { Badge, Card } from '../../ui/parts.tsx';
import { historyTexts } from './texts/index.ts';

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
  const one = (name: string, value: (figures: ServerFigures) => number) => ({
    title: name,
    times,
    series: [{ name, values: valuesOf(value) }],
  });
  return (
    <>
      <Card
        title={texts.usage}
        id="usage"
        actions={<Ranges path={path} ranges={['24h', '7d', '30d']} current={range} />}
      >
        <h3>{texts.cpu}</h3>
        <Chart
          {...one(texts.cpu, ({ cpu_percent }) => cpu_percent)}
          top={100}
          shown={(value) => `${number(value)} %`}
        />
      </Card>
      <div class="half">
        <Card title={texts.memory}>
          <Chart
            {...one(texts.memory, ({ memory_mb }) => memory_mb)}
            top={largest(({ memory_total_mb }) => memory_total_mb)}
            shown={size}
          />
        </Card>
        <Card title={texts.disk}>
          <Chart
            {...one(texts.disk, ({ disk_mb }) => disk_mb)}
            top={largest(({ disk_total_mb }) => disk_total_mb)}
            shown={size}
          />
        </Card>
        <Card title={texts.requestsAndErrors}>
          <Chart
            title={texts.requestsAndErrors}
            times={times}
            series={[
              { name: texts.requests, values: valuesOf(({ requests_per_s }) => requests_per_s) },
              { name: texts.errors, values: valuesOf(({ errors_per_s }) => errors_per_s) },
            ]}
            shown={(value) => `${number(value)}/s`}
          />
        </Card>
        <Card title={texts.runningAccounts}>
          <Chart {...one(texts.runningAccounts, (of) => of.running_accounts)} shown={number} />
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
