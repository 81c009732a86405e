import type { HostingView, UsageView } from '@innkeeper/services';
import { Card, Moment, UsageBar } from '../../ui/parts.tsx';
import { UsageBars } from '../../ui/usage-bars.tsx';

/** The server measures an account at most once a minute. The page marks older measurements as out of date. */
const STALE_MS = 3 * 60_000;

/** Usage of each limit and the time of the measurement. */
export function Usage({
  usage,
  hosting,
  now,
}: {
  usage: UsageView | undefined;
  hosting: HostingView;
  now: Date;
}) {
  return (
    <Card title="Usage" actions={<a href="/usage">History</a>}>
      {usage === undefined || usage.measured_at === null ? (
        <p>
          There are no measurements of disk space, bandwidth, CPU and memory yet: the server has not answered.
          Reload this page in a minute.
        </p>
      ) : (
        <Measured usage={usage} at={usage.measured_at} now={now} />
      )}
      <Counts {...hosting} />
    </Card>
  );
}

function Measured({ usage, at, now }: { usage: UsageView; at: Date; now: Date }) {
  const isStale = now.getTime() - at.getTime() > STALE_MS;
  return (
    <>
      <UsageBars usage={usage} />
      <p class="muted">
        {'Measured at '}
        <Moment at={at} />
        {isStale
          ? '. The server has not answered since then, so the values may be out of date.'
          : '. Bandwidth counts per calendar month (UTC).'}
      </p>
    </>
  );
}

function Counts({ domains, databases, apps, cron_jobs }: HostingView) {
  return (
    <>
      <UsageBar label="Domains" {...domains} />
      <UsageBar label="Databases" {...databases} />
      <UsageBar label="Apps" {...apps} />
      <UsageBar label="Cron jobs" {...cron_jobs} />
    </>
  );
}
