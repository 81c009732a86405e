import type { AccountView, HostingView, Problem } from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../env.ts';
import { useFormats, useTexts, useTranslate } from '../language/use-texts.ts';
import { ButtonForm } from './form.tsx';
import { Icon } from './icon.tsx';
import { Live, Moment, Notice } from './parts.tsx';
import { uiTexts } from './texts/index.ts';

interface HealthProps {
  c: PanelContext;
  hosting: Pick<HostingView, 'applied' | 'server'>;
  status: AccountView['status'];
  problems: readonly Problem[];
  /** The page that shows it. */
  path: string;
  /** Where "Try again" goes. */
  retry: string;
  /** The customer's pages of the records. An operator has none. */
  hasPages?: boolean;
}

/** The one health line of an account, made of all records. While a change is under way, it refreshes itself. */
export function Health({ c, hosting: { applied, server }, status, path, ...attention }: HealthProps) {
  const texts = useTexts(uiTexts);
  const isUnderWay = applied === 'under_way' && status !== 'terminating';
  const isGood = applied === 'yes' && status === 'active' && attention.problems.length === 0;
  return (
    <Live id="health" busy={isUnderWay || status === 'terminating'} path={path}>
      <div class="stack">
        <StateNotice status={status} />
        {isUnderWay ? <UnderWay isOnline={server.online} /> : null}
        {attention.problems.length === 0 ? null : <Attention c={c} path={path} {...attention} />}
        {isGood ? <Good>{texts.everythingWorks}</Good> : null}
      </div>
    </Live>
  );
}

function StateNotice({ status }: { status: AccountView['status'] }) {
  const texts = useTexts(uiTexts);
  if (status === 'suspended') return <Notice tone="warn">{texts.isSuspended}</Notice>;
  if (status === 'terminating') return <Notice tone="busy">{texts.isTerminating}</Notice>;
  return null;
}

function UnderWay({ isOnline }: { isOnline: boolean }) {
  const texts = useTexts(uiTexts);
  return isOnline ? (
    <Notice tone="busy">{texts.isUnderWay}</Notice>
  ) : (
    <Notice tone="warn">{texts.isOffline}</Notice>
  );
}

/** The green health line. */
export function Good({ children }: { children: Child }) {
  return (
    <p class="status is-good">
      <Icon name="good" />
      {children}
    </p>
  );
}

/** Every problem with its cause and its way out. */
export function Attention({
  c,
  problems,
  path,
  retry,
  hasPages = false,
}: Pick<HealthProps, 'c' | 'problems' | 'path' | 'retry' | 'hasPages'>) {
  const texts = useTexts(uiTexts);
  return (
    <section class="card attention is-red">
      <div class="card-head">
        <Icon name="warn" />
        <h2>{countText(problems.length)}</h2>
        <div class="push">
          <ButtonForm c={c} action={retry} submit={texts.tryAgain} />
        </div>
      </div>
      <ul class="rows">
        {problems.map((problem) => (
          <li>
            <div class="grow">
              <b>{texts.problems[problem.kind](wordsOf(problem))}</b>
              <p>
                <Cause problem={problem} />
              </p>
              <p>
                {texts.since(<Moment at={problem.since} never={texts.newestChange} />)}
                <NextTry problem={problem} />
              </p>
            </div>
            {hasPages ? <Way problem={problem} path={path} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `1 thing needs attention`. For components. */
export function countText(problems: number): string {
  return useTexts(uiTexts).needAttention(problems);
}

function wordsOf({ name, used, limit }: Problem): { name: string; share: string } {
  return { name, share: `${Math.floor((100 * used) / Math.max(1, limit))}%` };
}

function Cause({ problem: { kind, reason, used, limit } }: { problem: Problem }) {
  const texts = useTexts(uiTexts);
  const { size } = useFormats();
  const translate = useTranslate();
  if (kind === 'disk' || kind === 'bandwidth') return <>{texts.usedOf(size(used), size(limit))}</>;
  return <>{translate(reason?.split('\n')[0] ?? '') || texts.noReason}</>;
}

/** When the server tries again. A time that has passed is left out: that try may be under way. */
function NextTry({ problem }: { problem: Problem }) {
  const texts = useTexts(uiTexts);
  const { now } = useFormats();
  const { retries, next_try_at } = problem;
  if (isMeasured(problem)) return null;
  if (!retries) return <>{texts.needsRetry}</>;
  if (next_try_at === null || next_try_at <= now) return <>{texts.retriesItself}</>;
  return <>{texts.retriesAt(<Moment at={next_try_at} />)}</>;
}

function isMeasured({ kind }: Problem): boolean {
  return kind === 'disk' || kind === 'bandwidth';
}

const pages = { domain: '/sites', certificate: '/sites', app: '/apps', database: '/databases' } as const;

/** A link to the record's page, unless this is it. */
function Way({ problem: { kind, id, name }, path }: { problem: Problem; path: string }) {
  const texts = useTexts(uiTexts);
  if (!(kind in pages)) return null;
  const href = `${pages[kind as keyof typeof pages]}/${id}`;
  if (href === path) return null;
  return (
    <a class="btn btn-small" href={href} aria-label={texts.showThis(name)}>
      {texts.show}
    </a>
  );
}
