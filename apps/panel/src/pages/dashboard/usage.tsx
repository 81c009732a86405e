import type { HostingView, UsageView } from '@innkeeper/services';
import { Card, Moment, UsageBar } from '../../ui/parts.tsx';

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
      <UsageBar label="Disk space" used={usage.disk_used_mb} limit={usage.disk_limit_mb} unit=" MB" />
      <UsageBar
        label="Bandwidth this month"
        used={usage.bandwidth_used_mb}
        limit={usage.bandwidth_limit_mb}
        unit=" MB"
      />
      <UsageBar
        label="CPU (100% is one core)"
        used={usage.cpu_used_percent}
        limit={usage.cpu_limit_percent}
        unit="%"
      />
      <UsageBar label="Memory" used={usage.ram_used_mb} limit={usage.ram_limit_mb} unit=" MB" />
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
