import type { AppTemplate } from '@innkeeper/domain';
import type { DomainView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { Notice } from '../../ui/parts.tsx';
import { installPage } from '../apps/install-page.tsx';

/** The page of a new site whose app was refused: what exists, what does not, and the form of the app to continue. */
export async function siteWithoutApp(
  c: PanelContext,
  { site, template, refused }: { site: DomainView; template: AppTemplate; refused: Refused },
): Promise<Response> {
  return await installPage(
    c,
    refused,
    <Notice tone="warn" role="status">
      <p>
        <b>{`${site.domain_name} exists, but ${template.name} is not installed.`}</b>
      </p>
      <p>
        {`The server serves ${site.domain_name} as an empty PHP site. The form below shows why ${template.name} was refused. Correct it to install ${template.name}, or `}
        <a href={`/sites/${site.id}`}>continue without it</a>.
      </p>
    </Notice>,
  );
}
