import type { AppTemplate } from '@innkeeper/domain';
import type { DomainView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { textsFor } from '../../language/language.ts';
import { Notice } from '../../ui/parts.tsx';
import { installPage } from '../apps/install-page.tsx';
import { siteTexts } from './texts/index.ts';

/** The page of a new site whose app was refused: what exists, what does not, and the form of the app to continue. */
export async function siteWithoutApp(
  c: PanelContext,
  { site, template, refused }: { site: DomainView; template: AppTemplate; refused: Refused },
): Promise<Response> {
  const texts = textsFor(c, siteTexts);
  return await installPage(
    c,
    refused,
    <Notice tone="warn" role="status">
      <p>
        <b>{texts.withoutApp(site.domain_name, template.name)}</b>
      </p>
      <p>
        {texts.withoutAppMeans(
          site.domain_name,
          template.name,
          <a href={`/sites/${site.id}`}>{texts.continueWithoutIt}</a>,
        )}
      </p>
    </Notice>,
  );
}
