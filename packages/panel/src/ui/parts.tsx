import type { Child } from 'hono/jsx';
import { rowChoices } from '../http/rows-a-page.ts';
import { useFormats, useTexts } from '../language/use-texts.ts';
import { Icon, type IconName } from './icon.tsx';
import { uiTexts } from './texts/index.ts';

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
      <div class="card-head">
        <h2>{title}</h2>
        {actions === undefined ? null : <div class="actions push">{actions}</div>}
      </div>
      <div class="card-body stack">{children}</div>
    </section>
  );
}

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'plain';

const toneIcons: Readonly<Record<Tone, IconName>> = {
  good: 'good',
  busy: 'busy',
  warn: 'warn',
  bad: 'bad',
  plain: 'circle',
};

/** A state in one word. The icon's shape and its color repeat the meaning of the word. */
export function Badge({ tone, children }: { tone: Tone; children: Child }) {
  return (
    <span class={`status is-${tone}`}>
      <Icon name={toneIcons[tone]} />
      <span class="word">{children}</span>
    </span>
  );
}

/** A property of a record, such as `primary`. Its state is a `Badge`. */
export function Tag({ children }: { children: Child }) {
  return <span class="badge">{children}</span>;
}

/** A message that lasts as long as its cause. Without a tone it is neutral. An error is never `good`. */
export function Notice({ tone = 'plain', role, children }: { tone?: Tone; role?: string; children: Child }) {
  return (
    <div class={`notice notice-${tone}`} role={role as 'alert' | undefined}>
      <Icon name={tone === 'plain' ? 'info' : toneIcons[tone]} />
      <div class="stack">{children}</div>
    </div>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  running: 'good',
  online: 'good',
  ready: 'good',
  enabled: 'good',
  failed: 'bad',
  crashed: 'bad',
  suspended: 'plain',
  offline: 'bad',
  none: 'plain',
  stopped: 'plain',
  disabled: 'plain',
};

/** A record's status, in English by the API's name. A status that is not listed in `tones` has the tone `busy`. */
export function Status({ status }: { status: string }) {
  const { statuses } = useTexts(uiTexts);
  const name = Object.hasOwn(statuses, status) ? statuses[status as keyof typeof statuses] : undefined;
  return <Badge tone={tones[status] ?? 'busy'}>{name ?? status.replaceAll('_', ' ')}</Badge>;
}

/** Names and values in two columns. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: Child])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
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
  const texts = useTexts(uiTexts);
  return (
    <div class="scroll">
      <table class="table">
        <caption class="sr">{caption}</caption>
        <thead>
          <tr>
            {headings.map((heading) =>
              heading === '' ? (
                <th scope="col">
                  <span class="sr">{texts.actions}</span>
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
                  <th scope="row" class="t-main">
                    {inOnePiece(cell)}
                  </th>
                ) : (
                  <td class={headings[at] === '' ? 't-act' : undefined} data-label={headings[at]}>
                    {inOnePiece(cell)}
                  </td>
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
  return (
    <div class="empty">
      <p>{children}</p>
    </div>
  );
}

/**
 * Usage of a limit as a bar with numbers. `limit` null: unlimited. Values in ` MiB` are shown in MB or GB.
 */
export function UsageBar({
  label,
  used,
  limit,
  unit = '',
  isLabelled = false,
}: {
  label: string;
  used: number;
  limit: number | null;
  unit?: string;
  /** The head of its column has the label. */
  isLabelled?: boolean;
}) {
  const texts = useTexts(uiTexts);
  const formats = useFormats();
  const shown = (value: number) =>
    unit === ' MiB' ? formats.size(value) : `${formats.number(value)}${unit}`;
  const text =
    limit === null
      ? texts.ofUnlimited(shown(used))
      : texts.ofLimit(...withOneUnit(shown(used), shown(limit)));
  const share = limit === null ? 0 : limit === 0 ? Number(used > 0) : used / limit;
  const level = share > 1 ? 'bad' : share >= 0.9 && unit !== '' ? 'warn' : 'good';
  return (
    <div class="usage">
      <div class="usage-top">
        {isLabelled ? null : <span>{label}</span>}
        <span>{text}</span>
      </div>
      <Meter share={share} level={level} label={`${label}: ${text}`} />
    </div>
  );
}

/** Two values without the unit of the first, if both have the same: `1.2`, `5 GB`. */
function withOneUnit(used: string, limit: string): [used: string, limit: string] {
  const unit = /[^\d.,]*$/.exec(limit)?.[0] ?? '';
  return [unit !== '' && used.endsWith(unit) ? used.slice(0, -unit.length) : used, limit];
}

/** A share of a limit as a bar: SVG attributes, because a page has no inline style. */
function Meter({ share, level, label }: { share: number; level: Tone; label: string }) {
  return (
    <svg class={`meter meter-${level}`} role="img" aria-label={label}>
      <rect class="track" width="100%" height="100%" />
      <rect class="fill" width={`${Math.round(Math.min(1, share) * 1000) / 10}%`} height="100%" />
    </svg>
  );
}

/**
 * Links that choose how many rows a page of a list has. `total`: undefined if it is not known. A list that fits the smallest
 * page has none.
 */
export function RowsAPage({ path, rows, total }: { path: string; rows: number; total?: number | undefined }) {
  const texts = useTexts(uiTexts);
  if (total !== undefined && total <= rowChoices[0]) return null;
  return (
    <nav class="pager rows-a-page" aria-label={texts.rowsAPage}>
      <span>{texts.rowsAPage}</span>
      {rowChoices.map((choice) =>
        choice === rows ? (
          <b aria-current="true">{choice}</b>
        ) : (
          <a href={`${path}${path.includes('?') ? '&' : '?'}rows=${choice}`}>{choice}</a>
        ),
      )}
    </nav>
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
  const texts = useTexts(uiTexts);
  const formats = useFormats();
  const last = Math.max(1, Math.ceil(total / per_page));
  if (last === 1) return null;
  const to = (number: number) => `${path}${path.includes('?') ? '&' : '?'}page=${number}`;
  return (
    <nav class="pager" aria-label={texts.pages}>
      {page > 1 ? (
        <a rel="prev" href={to(page - 1)}>
          {texts.previous}
        </a>
      ) : null}
      <span>{texts.pageOf(formats.number(page), formats.number(last))}</span>
      {page < last ? (
        <a rel="next" href={to(page + 1)}>
          {texts.next}
        </a>
      ) : null}
      {last > 2 ? <PageJump path={path} page={page} last={last} /> : null}
    </nav>
  );
}

/** A form that leads to a page by its number. */
function PageJump({ path, page, last }: { path: string; page: number; last: number }) {
  const texts = useTexts(uiTexts);
  const { pathname, searchParams } = new URL(path, 'http://panel');
  return (
    <form method="get" action={pathname} class="page-jump">
      {[...searchParams].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label for="page-jump">{texts.goToPage}</label>
      <input
        class="input"
        id="page-jump"
        type="number"
        name="page"
        value={String(page)}
        min="1"
        max={String(last)}
        required
      />
      <button type="submit" class="btn btn-small">
        {texts.show}
      </button>
    </form>
  );
}

/**
 * A part of a page that refreshes every 2 s, or `everyS`, while a change is in progress. Without JavaScript it has a
 * link to refresh the page.
 */
export function Live({
  id,
  busy,
  path,
  everyS = 2,
  children,
}: {
  id: string;
  busy: boolean;
  path: string;
  everyS?: number;
  children: Child;
}) {
  const texts = useTexts(uiTexts);
  if (!busy) return <div id={id}>{children}</div>;
  return (
    <div id={id} data-live={path} data-every={`${everyS}`} aria-live="polite">
      {children}
      <noscript>
        <p>
          <a href={path}>{texts.refresh}</a>
        </p>
      </noscript>
    </div>
  );
}

/** A secret to copy. The panel shows it only once. */
export function Secret(text: CopyableValue) {
  return <Copyable {...text} />;
}

interface CopyableValue {
  id: string;
  label: string;
  text: string;
}

/** A text with a copy button. */
export function Copyable({ id, label, text }: CopyableValue) {
  const texts = useTexts(uiTexts);
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <div class="copy">
        <input id={id} type="text" readonly value={text} spellcheck={false} autocomplete="off" />
        <button
          type="button"
          class="btn btn-small btn-quiet"
          data-copy={id}
          hidden
          data-copied={texts.copied}
          aria-label={texts.copyThis(label)}
        >
          {texts.copy}
        </button>
      </div>
    </div>
  );
}

/** A text of several lines with a copy button below it. `copy`: label of the button. */
export function CopyableText({ id, label, text, copy }: CopyableValue & { copy: string }) {
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        class="textarea"
        readonly
        rows={text.split('\n').length}
        spellcheck={false}
        autocomplete="off"
      >
        {text}
      </textarea>
      <p>
        <CopyButton of={id} copy={copy} />
      </p>
    </div>
  );
}

/** Copies the text of the element with the id `of`. There only with JavaScript. */
export function CopyButton({ of, copy }: { of: string; copy: string }) {
  const texts = useTexts(uiTexts);
  return (
    <button type="button" class="btn" data-copy={of} hidden data-copied={texts.copied}>
      {copy}
    </button>
  );
}

/**
 * A point in time, for sentences. `panel.js` shows it in the browser's time zone; without scripts it is in UTC. `never`: text
 * for null.
 */
export function Moment({ at, never }: { at: Date | null; never?: string }) {
  const texts = useTexts(uiTexts);
  const formats = useFormats();
  if (at === null) return <>{never ?? texts.never}</>;
  return (
    <time datetime={at.toISOString()} data-moment="text">
      {formats.moment(at)}
    </time>
  );
}

/** A point in time as its distance from now, for tables and facts: `6 min ago`. The title has the complete time. */
export function Ago({ at, never }: { at: Date | null; never?: string }) {
  const texts = useTexts(uiTexts);
  const formats = useFormats();
  if (at === null) return <>{never ?? texts.never}</>;
  return (
    <time datetime={at.toISOString()} data-moment="title" title={formats.moment(at)}>
      {formats.relative(at, formats.now)}
    </time>
  );
}
