import type { Problem } from '@innkeeper/services';
import { useTexts } from '../../language/use-texts.ts';
import { Attention, countText, Good } from '../../ui/attention.tsx';
import { Live, Notice } from '../../ui/parts.tsx';
import { isUnderWay } from '../apps/words.ts';
import type { SiteParts } from './site-page.tsx';
import { siteTexts } from './texts/index.ts';

interface SiteHealthProps extends SiteParts {
  /** Of the whole account. */
  problems: readonly Problem[];
}

/** The health line of one site, from its domain, certificate, app and DNS. Green only if all of them are good. */
export function SiteHealth({ c, domain, app, dns, server, problems }: SiteHealthProps) {
  const texts = useTexts(siteTexts);
  const { id, domain_name, status, status_reason, ssl } = domain;
  const own = problems.filter(({ domain_id }) => domain_id === id);
  const others = problems.length - own.length;
  const isRunning = app === undefined || app.status === 'running';
  const isGood = status === 'active' && status_reason === null && problems.length === 0 && isRunning;
  const isElsewhere = dns !== undefined && dns.found !== null && dns.error === null;
  const isChanging = status === 'pending' || ssl.status === 'pending';
  const path = `/sites/${id}`;
  return (
    <Live id="health" busy={isChanging || (app !== undefined && isUnderWay(app.status))} path={path}>
      <div class="stack">
        {own.length === 0 ? null : (
          <Attention c={c} problems={own} path={path} retry={`${path}/retry`} hasPages />
        )}
        {others === 0 ? null : (
          <Notice tone="warn">
            <p>
              {texts.elsewhere}
              <a href="/">{countText(others)}</a>
            </p>
          </Notice>
        )}
        {app?.status === 'stopped' ? (
          <Notice tone="warn">
            <p>
              {texts.appStopped}
              <a href={`/apps/${app.id}`}>{texts.startIt}</a>.
            </p>
          </Notice>
        ) : null}
        {isGood && ssl.status === 'active' ? <Good>{texts.works}</Good> : null}
        {isGood && ssl.status === 'none' ? (
          <Notice tone="warn">
            {isElsewhere ? texts.dnsElsewhere(domain_name, server.address) : texts.insecure}
          </Notice>
        ) : null}
      </div>
    </Live>
  );
}
