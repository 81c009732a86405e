import type { HostingView, UsageView } from '@innkeeper/services';
import { Card, Moment, UsageBar } from '../../ui/parts.tsx';
import { UsageBars } from '../../ui/usage-bars.tsx';

/** The server measures an account at most once a minute; what is older than this is said to be old. */
const STALE_MS = 3 * 60_000;

/** What is used of each limit, and of when that is. */
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
    <Card title="Usage">
      {usage === undefined || usage.measured_at === null ? (
        <p>
          Disk space, bandwidth, CPU and memory were not measured yet: the server has not answered so far.
          Load this page again in a minute.
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
      <p class="soft">
        {'Measured at '}
        <Moment at={at} />
        {isStale
          ? '. The server has not answered since, so it may be otherwise by now.'
          : '. A month begins on its first day in UTC.'}
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
