import type { HostingView, UsageView } from '@innkeeper/services';
import { useTexts } from '../../language/use-texts.ts';
import { Card, Moment, UsageBar } from '../../ui/parts.tsx';
import { UsageBars } from '../../ui/usage-bars.tsx';
import { dashboardTexts } from './texts/index.ts';

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
  const texts = useTexts(dashboardTexts);
  return (
    <Card title={texts.usage} actions={<a href="/usage">{texts.history}</a>}>
      {usage === undefined || usage.measured_at === null ? (
        <p>{texts.notMeasured}</p>
      ) : (
        <Measured usage={usage} at={usage.measured_at} now={now} />
      )}
      <Counts {...hosting} />
    </Card>
  );
}

function Measured({ usage, at, now }: { usage: UsageView; at: Date; now: Date }) {
  const texts = useTexts(dashboardTexts);
  const isStale = now.getTime() - at.getTime() > STALE_MS;
  return (
    <>
      <div class="stats">
        <UsageBars usage={usage} />
      </div>
      <p class="muted">
        {texts.measuredAt(<Moment at={at} />)}
        {isStale ? texts.stale : texts.perMonth}
      </p>
    </>
  );
}

function Counts({ domains, databases, apps, cron_jobs }: HostingView) {
  const texts = useTexts(dashboardTexts);
  return (
    <div class="stats">
      <UsageBar label={texts.domains} {...domains} />
      <UsageBar label={texts.databases} {...databases} />
      <UsageBar label={texts.apps} {...apps} />
      <UsageBar label={texts.cronJobs} {...cron_jobs} />
    </div>
  );
}
