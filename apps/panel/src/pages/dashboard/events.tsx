import type { AuditItem } from '@innkeeper/services';
import { Empty, Moment, Table } from '../../ui/parts.tsx';
import { eventSentence } from './event-sentence.ts';

/** What was done to the account, newest first. `userId`: whose panel this is. */
export function Events({ events, userId }: { events: readonly AuditItem[]; userId: number }) {
  if (events.length === 0)
    return <Empty>Nothing yet. What you and your provider change is listed here.</Empty>;
  return (
    <Table
      caption="What happened last, newest first"
      headings={['What', 'By', 'When']}
      rows={events.map((event) => [eventSentence(event), doerOf(event, userId), <Moment at={event.at} />])}
    />
  );
}

function doerOf({ user, action }: AuditItem, userId: number): string {
  if (user?.id === userId) return 'you';
  return action.endsWith('.removed') ? 'the server' : 'your provider';
}
