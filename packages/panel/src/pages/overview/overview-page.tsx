import { isStaffRole } from '@innkeeper/domain';
import {
  type AuditItem,
  type Growth,
  getFirstSteps,
  getFleet,
  getGrowth,
  listAudit,
  listFailingAccounts,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Chart, ChartTable } from '../../ui/chart/chart.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { AuditTable } from '../audit/audit-table.tsx';
import { FailingAccounts } from '../history/failing-accounts.tsx';
import { FirstStepsCard } from './first-steps.tsx';
import { FleetCards } from './fleet.tsx';
import { overviewTexts } from './texts/index.ts';

const FAILING_SHOWN = 10;
const SERVERS_SHOWN = 10;
const EVENTS_SHOWN = 8;

/** What an operator looks at first. Staff sees all servers and accounts; a reseller its own accounts and no servers. */
export async function overviewPage(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const [failing, growth, { items: events }, fleet, firstSteps] = await Promise.all([
    listFailingAccounts(ctx, { limit: FAILING_SHOWN }),
    getGrowth(ctx),
    listAudit(ctx, { limit: EVENTS_SHOWN }),
    isStaffRole(ctx.actor.role) ? getFleet(ctx, { limit: SERVERS_SHOWN }) : undefined,
    getFirstSteps(ctx),
  ]);
  return page(
    c,
    { title: textsFor(c, overviewTexts).title },
    <>
      {firstSteps === null ? null : <FirstStepsCard done={firstSteps} />}
      <FailingAccounts c={c} items={failing.items} hasMore={failing.has_more} />
      {fleet === undefined ? null : <FleetCards fleet={fleet} />}
      <GrowthCard growth={growth} />
      <Activity events={events} />
    </>,
  );
}

function GrowthCard({ growth: { total, days } }: { growth: Growth }) {
  const texts = useTexts(overviewTexts);
  const { number } = useFormats();
  const sum = (what: 'created' | 'removed') => number(days.reduce((so, day) => so + day[what], 0));
  const times = days.map(({ at }) => at);
  const created = { name: texts.newAccounts, values: days.map((day) => day.created) };
  const removed = { name: texts.removedAccounts, values: days.map((day) => day.removed) };
  return (
    <Card title={texts.growth}>
      <p>{texts.total(number(total), sum('created'), sum('removed'))}</p>
      <Chart
        title={texts.newAccounts}
        times={times}
        series={[created]}
        days
        kind="bars"
        hasTable={false}
        shown={number}
      />
      <ChartTable
        title={texts.growth}
        times={times}
        columns={[created, removed].map((one) => ({ ...one, shown: number }))}
        days
      />
    </Card>
  );
}

function Activity({ events }: { events: readonly AuditItem[] }) {
  const texts = useTexts(overviewTexts);
  return (
    <Card title={texts.activity} actions={<a href="/audit">{texts.viewAll}</a>}>
      {events.length === 0 ? <Empty>{texts.noActivity}</Empty> : <AuditTable items={events} />}
    </Card>
  );
}
