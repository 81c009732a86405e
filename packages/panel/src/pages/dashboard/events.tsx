import type { AuditItem } from '@innkeeper/services';
import { Ago, Empty, Table } from '../../ui/parts.tsx';
import { eventSentence } from './event-sentence.ts';

/** Activity on the account, newest first. `userId`: the user who sees the page. */
export function Events({ events, userId }: { events: readonly AuditItem[]; userId: number }) {
  if (events.length === 0)
    return <Empty>No activity yet. This list shows the changes that you and your provider make.</Empty>;
  return (
    <Table
      caption="Recent activity, newest first"
      headings={['What', 'By', 'When']}
      rows={events.map((event) => [eventSentence(event), doerOf(event, userId), <Ago at={event.at} />])}
    />
  );
}

/** What nobody does by hand. */
const automatic: ReadonlySet<string> = new Set(['domain.auto-ssl', 'app.push-deploy']);

function doerOf({ user, action }: AuditItem, userId: number): string {
  if (user?.id === userId) return 'you';
  return action.endsWith('.removed') || automatic.has(action) ? 'the server' : 'your provider';
}
