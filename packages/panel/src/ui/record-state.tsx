import type { Child } from 'hono/jsx';
import type { PanelContext } from '../env.ts';
import { useTexts, useTranslate } from '../language/use-texts.ts';
import { brandOf } from './brand.tsx';
import { Notice } from './parts.tsx';
import { uiTexts } from './texts/index.ts';

interface RecordStateProps {
  what: 'domain' | 'database';
  status: string;
  /** Message from the server. */
  reason: string | null;
  /** What the customer can do after a failure. */
  remedy?: Child;
}

/**
 * Explains a pending, failed or suspended record and what to do. Shows nothing for an active record without a reason.
 */
export function RecordState({ what, status, reason, remedy }: RecordStateProps) {
  const texts = useTexts(uiTexts);
  const translate = useTranslate();
  const words = texts.recordStates[what];
  if (status === 'pending') return <Notice tone="busy">{words.pending}</Notice>;
  if (status === 'removing')
    return (
      <Notice tone="busy">
        {words.removing}
        {reason === null ? null : texts.messageFromServer(translate(reason))}
      </Notice>
    );
  if (status === 'failed')
    return (
      <Notice tone="bad">
        <p>{words.failed(reason === null ? null : translate(reason))}</p>
        {remedy === undefined ? null : <p>{remedy}</p>}
      </Notice>
    );
  if (status === 'suspended') return <p>{words.suspended}</p>;
  if (status === 'active' && reason !== null) return <Notice tone="bad">{translate(reason)}</Notice>;
  return null;
}

/** Used and allowed number of records, shown before the form that adds one. */
export function Room({
  c,
  used,
  limit,
  kinds,
}: {
  c: PanelContext;
  used: number;
  limit: number;
  kinds: keyof (typeof uiTexts.en)['room'];
}) {
  const texts = useTexts(uiTexts);
  const words = texts.room[kinds];
  const sentence = words.used(used, limit);
  if (used < limit) return <p class="muted">{sentence}</p>;
  const { support_url } = brandOf(c);
  return (
    <Notice>
      <p>{limit === 0 ? words.none : `${sentence} ${texts.largerPackage}`}</p>
      {support_url === null ? null : (
        <a class="btn btn-small" href={support_url} rel="noreferrer">
          {texts.askProvider}
        </a>
      )}
    </Notice>
  );
}
