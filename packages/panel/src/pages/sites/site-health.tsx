import type { DomainView, Problem } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { Attention, countText, Good } from '../../ui/attention.tsx';
import { Live, Notice } from '../../ui/parts.tsx';

interface SiteHealthProps {
  c: PanelContext;
  domain: DomainView;
  /** Of the whole account. */
  problems: readonly Problem[];
}

/** The health line of one site, from its domain, certificate and app. */
export function SiteHealth({ c, domain, problems }: SiteHealthProps) {
  const { id, status, status_reason, ssl } = domain;
  const own = problems.filter(({ domain_id }) => domain_id === id);
  const others = problems.length - own.length;
  const isGood = status === 'active' && status_reason === null && problems.length === 0;
  const path = `/sites/${id}`;
  return (
    <Live id="health" busy={status === 'pending' || ssl.status === 'pending'} path={path}>
      <div class="stack">
        {own.length === 0 ? null : (
          <Attention c={c} problems={own} path={path} retry={`${path}/retry`} hasPages />
        )}
        {others === 0 ? null : (
          <Notice tone="warn">
            {'Elsewhere in the account: '}
            <a href="/">{countText(others)}</a>
          </Notice>
        )}
        {isGood && ssl.status === 'active' ? <Good>This site works.</Good> : null}
        {isGood && ssl.status === 'none' ? (
          <Notice tone="warn">This site works without a certificate. Browsers show it as not secure.</Notice>
        ) : null}
      </div>
    </Live>
  );
}
