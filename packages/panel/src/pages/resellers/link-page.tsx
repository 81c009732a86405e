import { makeResellerLink } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { page } from '../../ui/page.tsx';
import { Card, Secret } from '../../ui/parts.tsx';
import { resellerTexts } from './texts/index.ts';

/** A link with which a reseller sets its password. Only the answer to the form shows it, never again. */
export async function linkPage(c: PanelContext, reseller: string): Promise<Response> {
  const texts = textsFor(c, resellerTexts);
  const { publicUrl } = c.var.deps;
  const { url, hours } = await makeResellerLink({ ...operatorContext(c), publicUrl }, { reseller });
  const path = `/resellers/${reseller}`;
  return page(
    c,
    {
      title: texts.linkOf(reseller),
      above: [
        { name: texts.resellers, path: '/resellers' },
        { name: reseller, path },
      ],
    },
    <Card title={texts.link}>
      <p role="status">{texts.linkAbout(reseller, hours)}</p>
      <Secret id="password-link" label={texts.link} text={url} />
      <p>
        <a class="btn btn-primary" href={path}>
          {texts.toPool}
        </a>
      </p>
    </Card>,
  );
}
