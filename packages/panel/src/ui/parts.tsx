import type { Child } from 'hono/jsx';
import { momentText, numberText } from './numbers.ts';

/** A section of a page with its own heading. */
export function Card({
  title,
  actions,
  id,
  children,
}: {
  title: string;
  actions?: Child;
  id?: string;
  children: Child;
}) {
  return (
    <section class="card" id={id}>
      <div class="heading">
        <h2>{title}</h2>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

type Tone = 'good' | 'busy' | 'bad' | 'plain';

/** A state in one word. The color repeats the meaning of the word. */
export function Badge({ tone, children }: { tone: Tone; children: Child }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  running: 'good',
  online: 'good',
  ready: 'good',
  enabled: 'good',
  failed: 'bad',
  crashed: 'bad',
  suspended: 'bad',
  offline: 'bad',
  none: 'plain',
  stopped: 'plain',
  disabled: 'plain',
};

/** A record's status with the API's name. A status that is not listed in `tones` has the tone `busy`. */
export function Status({ status }: { status: string }) {
  return <Badge tone={tones[status] ?? 'busy'}>{status.replaceAll('_', ' ')}</Badge>;
}

/** Names and values in two columns. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: Child])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * A table. On a narrow screen each row is a block, and each cell shows its heading. The column of buttons has an
 * empty heading.
 */
export function Table({
  caption,
  headings,
  rows,
}: {
  /** For screen readers. */
  caption: string;
  headings: readonly string[];
  rows: readonly (readonly Child[])[];
}) {
  return (
    <div class="scroll">
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {headings.map((heading) =>
              heading === '' ? (
                <th scope="col">
                  <span class="unseen">Actions</span>
                </th>
              ) : (
                <th scope="col">{heading}</th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th scope="row" data-heading={headings[at]}>
                    {inOnePiece(cell)}
                  </th>
                ) : (
                  <td data-heading={headings[at]}>{inOnePiece(cell)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Wraps a cell in one element, so that its heading can be beside it on a narrow screen. */
function inOnePiece(cell: Child): Child {
  return typeof cell === 'string' ? cell : <div>{cell}</div>;
}

/** Text in place of an empty list: what the list is for, and how to add the first record. */
export function Empty({ children }: { children: Child }) {
  return <p class="empty">{children}</p>;
}

/** Usage of a limit as a bar with numbers. `limit` null: unlimited. */
export function UsageBar({
  label,
  used,
  limit,
  unit = '',
}: {
  label: string;
  used: number;
  limit: number | null;
  unit?: string;
}) {
  const text =
    limit === null
      ? `${numberText(used)}${unit} of unlimited`
      : `${numberText(used)} of ${numberText(limit)}${unit}`;
  const share = limit === null ? 0 : limit === 0 ? Number(used > 0) : used / limit;
  const level = share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'low';
  return (
    <div class="usage">
      <span class="name">{label}</span>
      <span class="numbers">{text}</span>
      <progress class={level} max={1} value={Math.min(1, share)} aria-label={`${label}: ${text}`} />
    </div>
  );
}

/** Pagination of a list. `path` already has the other query parameters. */
export function Pages({
  path,
  page,
  per_page,
  total,
}: {
  path: string;
  page: number;
  per_page: number;
  total: number;
}) {
  const last = Math.max(1, Math.ceil(total / per_page));
  if (last === 1) return null;
  const to = (number: number) => `${path}${path.includes('?') ? '&' : '?'}page=${number}`;
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 ? (
        <a rel="prev" href={to(page - 1)}>
          Previous
        </a>
      ) : null}
      <span>{`Page ${numberText(page)} of ${numberText(last)}`}</span>
      {page < last ? (
        <a rel="next" href={to(page + 1)}>
          Next
        </a>
      ) : null}
    </nav>
  );
}

/**
 * A part of a page that refreshes every 2 s while a change is in progress. Without JavaScript it has a link to
 * refresh the page.
 */
export function Live({
  id,
  busy,
  path,
  children,
}: {
  id: string;
  busy: boolean;
  path: string;
  children: Child;
}) {
  if (!busy) return <div id={id}>{children}</div>;
  return (
    <div
      id={id}
      hx-get={path}
      hx-select={`#${id}`}
      hx-swap="outerHTML"
      hx-trigger="every 2s"
      aria-live="polite"
    >
      {children}
      <noscript>
        <p>
          <a href={path}>Refresh</a>
        </p>
      </noscript>
    </div>
  );
}

/** A secret to copy. The panel shows it only once. */
export function Secret(text: CopyableText) {
  return <Copyable {...text} />;
}

interface CopyableText {
  id: string;
  label: string;
  text: string;
}

/** A text with a copy button. */
export function Copyable({ id, label, text }: CopyableText) {
  return (
    <div class="secret">
      <label for={id}>{label}</label>
      <div class="row">
        <input id={id} type="text" readonly value={text} spellcheck={false} autocomplete="off" />
        <button type="button" data-copy={id} hidden aria-label={`Copy: ${label}`}>
          Copy
        </button>
      </div>
    </div>
  );
}

/** A point in time in UTC. `never`: text for null. */
export function Moment({ at, never = 'never' }: { at: Date | null; never?: string }) {
  if (at === null) return <>{never}</>;
  return <time datetime={at.toISOString()}>{momentText(at)}</time>;
}
