import type { AuditItem } from '@innkeeper/services';
import { useTexts } from '../../language/use-texts.ts';
import { Ago, Empty, Table } from '../../ui/parts.tsx';
import { eventSentence } from './event-sentence.ts';
import { dashboardTexts } from './texts/index.ts';

/** Activity on the account, newest first. `userId`: the user who sees the page. */
export function Events({ events, userId }: { events: readonly AuditItem[]; userId: number }) {
  const texts = useTexts(dashboardTexts);
  if (events.length === 0) return <Empty>{texts.noActivity}</Empty>;
  return (
    <Table
      caption={texts.newestFirst}
      headings={[texts.what, texts.by, texts.when]}
      rows={events.map((event) => [
        eventSentence(event, texts),
        texts[doerOf(event, userId)],
        <Ago at={event.at} />,
      ])}
    />
  );
}

/** What nobody does by hand. */
const automatic: ReadonlySet<string> = new Set(['domain.auto-ssl', 'app.push-deploy']);

function doerOf({ user, action }: AuditItem, userId: number): 'you' | 'theServer' | 'yourProvider' {
  if (user?.id === userId) return 'you';
  return action.endsWith('.removed') || automatic.has(action) ? 'theServer' : 'yourProvider';
}
