import type { AccountView, HostingView, Problem } from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../env.ts';
import { ButtonForm } from './form.tsx';
import { Icon } from './icon.tsx';
import { numberText } from './numbers.ts';
import { Live, Moment, Notice } from './parts.tsx';

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
  const isUnderWay = applied === 'under_way' && status !== 'terminating';
  const isGood = applied === 'yes' && status === 'active' && attention.problems.length === 0;
  return (
    <Live id="health" busy={isUnderWay || status === 'terminating'} path={path}>
      <div class="stack">
        <StateNotice status={status} />
        {isUnderWay ? <UnderWay isOnline={server.online} /> : null}
        {attention.problems.length === 0 ? null : <Attention c={c} path={path} {...attention} />}
        {isGood ? <Good>Everything works.</Good> : null}
      </div>
    </Live>
  );
}

function StateNotice({ status }: { status: AccountView['status'] }) {
  if (status === 'suspended')
    return (
      <Notice tone="warn">
        The account is suspended. Its sites show a suspension page, and nobody can sign in.
      </Notice>
    );
  if (status === 'terminating')
    return (
      <Notice tone="busy">
        The server is removing the account. The username is available again when the removal is complete.
      </Notice>
    );
  return null;
}

function UnderWay({ isOnline }: { isOnline: boolean }) {
  return isOnline ? (
    <Notice tone="busy">The server is applying the newest changes. This takes a few seconds.</Notice>
  ) : (
    <Notice tone="warn">
      The server does not answer at the moment. The newest changes are saved. The server applies them when it
      is back.
    </Notice>
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
  return (
    <section class="card attention is-red">
      <div class="card-head">
        <Icon name="warn" />
        <h2>{countText(problems.length)}</h2>
        <div class="push">
          <ButtonForm c={c} action={retry} submit="Try again" />
        </div>
      </div>
      <ul class="rows">
        {problems.map((problem) => (
          <li>
            <div class="grow">
              <b>{titleOf(problem)}</b>
              <p>{causeOf(problem)}</p>
              <p>
                {'Since '}
                <Moment at={problem.since} never="the newest change" />
                {problem.retries ? '. The server tries again on its own.' : null}
              </p>
            </div>
            {hasPages ? <Way problem={problem} path={path} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `1 thing needs attention`. */
export function countText(problems: number): string {
  return problems === 1 ? '1 thing needs attention' : `${problems} things need attention`;
}

function titleOf({ kind, name, used, limit }: Problem): string {
  const share = `${Math.floor((100 * used) / Math.max(1, limit))}%`;
  const titles: Record<Problem['kind'], string> = {
    domain: `${name} is not set up`,
    certificate: `${name} has no valid certificate`,
    app: `The app ${name} has failed`,
    database: `The database ${name} is not set up`,
    settings: `${name}: not applied on the server`,
    disk: `The disk space is ${share} full`,
    bandwidth: `The bandwidth of this month is used up`,
  };
  return titles[kind];
}

function causeOf({ kind, reason, used, limit }: Problem): string {
  if (kind === 'disk' || kind === 'bandwidth') return `${numberText(used)} of ${numberText(limit)} MiB used.`;
  return reason?.split('\n')[0] || 'The server gave no reason.';
}

const pages = { domain: '/sites', certificate: '/sites', app: '/apps', database: '/databases' } as const;

/** A link to the record's page, unless this is it. */
function Way({ problem: { kind, id, name }, path }: { problem: Problem; path: string }) {
  if (!(kind in pages)) return null;
  const href = `${pages[kind as keyof typeof pages]}/${id}`;
  if (href === path) return null;
  return (
    <a class="btn btn-small" href={href} aria-label={`Show ${name}`}>
      Show
    </a>
  );
}
