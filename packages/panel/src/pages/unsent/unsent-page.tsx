import type { PanelContext } from '../../env.ts';
import type { UnsentForm } from '../../http/unsent-form.ts';
import { textsFor } from '../../language/language.ts';
import { PostForm } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { unsentTexts } from './texts/index.ts';

/** Asks before it sends, because another user may have signed in. */
export function unsentPage(c: PanelContext, { path, fields }: UnsentForm, status = 200): Response {
  const texts = textsFor(c, unsentTexts);
  return page(
    c,
    { title: texts.title, status },
    <Card title={texts.title}>
      <p>{texts.ended}</p>
      <p>{texts.kept}</p>
      <PostForm c={c} action={path} submit={texts.send}>
        {fields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      </PostForm>
      <p>
        <a href="/">{texts.cancel}</a>
      </p>
    </Card>,
  );
}
