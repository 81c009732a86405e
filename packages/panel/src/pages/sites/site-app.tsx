import {
  type AppReleaseView,
  type AppView,
  type EndUserContext,
  getApp,
  listReleases,
  listSiteApps,
} from '@innkeeper/services';
import { useTexts } from '../../language/use-texts.ts';
import { Card, Empty, Facts, Live, Status, Table } from '../../ui/parts.tsx';
import { releaseCells, releaseHeadings } from '../apps/releases.tsx';
import { appTexts } from '../apps/texts/index.ts';
import { isUnderWay } from '../apps/words.ts';
import type { SiteParts } from './site-page.tsx';
import { siteTexts } from './texts/index.ts';

/** How many releases the page of a site shows. The page of the app has them all. */
const RELEASES_SHOWN = 3;

export type SiteAppView = AppView & { releases: AppReleaseView[] };

/** The app of a site. Undefined for an empty site, and for a domain that the customer does not see. */
export async function findSiteApp(ctx: EndUserContext, domainId: number): Promise<SiteAppView | undefined> {
  const found = (await listSiteApps(ctx, { domain_ids: [domainId] })).get(domainId);
  if (found === undefined) return undefined;
  const input = { app_id: found.id };
  const [app, releases] = await Promise.all([getApp(ctx, input), listReleases(ctx, input)]);
  return { ...app, releases };
}

/** The app of a site with its newest releases, or the way to install one. */
export function SiteApp({ domain, app }: SiteParts) {
  const texts = useTexts(siteTexts);
  const ofApps = useTexts(appTexts);
  if (app === undefined)
    return (
      <Card title={texts.app}>
        <Empty>{texts.noApp(<code>{domain.document_root}</code>)}</Empty>
        <div class="actions">
          <a class="btn" href={`/apps/new?domain=${domain.id}`}>
            {texts.install}
          </a>
        </div>
      </Card>
    );
  return (
    <Live id="app" busy={isUnderWay(app.status)} path={`/sites/${domain.id}`}>
      <Card
        title={texts.app}
        actions={
          <a class="btn btn-small" href={`/apps/${app.id}`}>
            {texts.manage}
          </a>
        }
      >
        <Facts
          facts={[
            [texts.name, <a href={`/apps/${app.id}`}>{app.name}</a>],
            [texts.template, app.template_name],
            [texts.status, <Status status={app.status} />],
            ...(app.git === null
              ? []
              : [[texts.repository, <code>{`${app.git.repository} (${app.git.branch})`}</code>] as const]),
          ]}
        />
        <p>{ofApps.meanings[app.status]}</p>
        {app.releases.length === 0 ? null : (
          <Table
            caption={texts.newestReleases}
            headings={releaseHeadings(ofApps)}
            rows={app.releases.slice(0, RELEASES_SHOWN).map((release) => releaseCells(release, ofApps))}
          />
        )}
      </Card>
    </Live>
  );
}
