import type { Problem } from '@innkeeper/services';
import type { PanelContext } from '../env.ts';
import { ButtonForm } from './form.tsx';
import { Icon } from './icon.tsx';
import { numberText } from './numbers.ts';
import { Moment } from './parts.tsx';

interface AttentionProps {
  c: PanelContext;
  problems: readonly Problem[];
  /** Where "Try again" goes. */
  retry: string;
  /** The customer's pages of the records. An operator has none. */
  hasPages?: boolean;
}

/** The health of an account or a site: every problem with its cause and its way out, or that there is none. */
export function Attention({ c, problems, retry, hasPages = false }: AttentionProps) {
  if (problems.length === 0)
    return (
      <p class="status is-good">
        <Icon name="good" />
        Everything works. The server has applied all changes.
      </p>
    );
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
            {hasPages ? <Way problem={problem} /> : null}
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

const pages = { domain: '/domains', certificate: '/domains', app: '/apps', database: '/databases' } as const;

function Way({ problem: { kind, id, name } }: { problem: Problem }) {
  if (!(kind in pages)) return null;
  return (
    <a class="btn btn-small" href={`${pages[kind as keyof typeof pages]}/${id}`} aria-label={`Show ${name}`}>
      Show
    </a>
  );
}
