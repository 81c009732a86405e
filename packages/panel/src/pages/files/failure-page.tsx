import { statusOf } from '@innkeeper/contract';
import { DomainError } from '@innkeeper/domain';
import type { PanelContext } from '../../env.ts';
import { FilesError } from '../../files/index.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { translate } from '../../language/sentences/translate.ts';
import { page } from '../../ui/page.tsx';
import { Notice } from '../../ui/parts.tsx';
import { sentenceOf } from './files.ts';
import { fileTexts } from './texts/index.ts';

/** The page when files cannot be shown: they are gone, the account is suspended, its server does not answer. */
export function failurePage(c: PanelContext, error: unknown): Response {
  const texts = textsFor(c, fileTexts);
  const isExpected =
    error instanceof DomainError && error.code !== 'unauthenticated' && error.code !== 'not_found';
  if (!(error instanceof FilesError) && !isExpected) throw error;
  const sentence =
    error instanceof FilesError
      ? sentenceOf(texts, error)
      : translate(languageOf(c), (error as Error).message);
  const status = error instanceof DomainError ? statusOf[error.code] : statusOfFailure(error as FilesError);
  return page(
    c,
    { title: texts.title, status },
    <>
      <Notice tone="bad" role="alert">
        {sentence}
      </Notice>
      <p>
        <a class="btn" href="/files">
          {texts.showHome}
        </a>
      </p>
    </>,
  );
}

function statusOfFailure({ code }: FilesError): number {
  if (code === 'not_found') return 404;
  if (code === 'unavailable' || code === 'too_many' || code === 'lost') return 503;
  return code === 'denied' || code === 'outside' ? 403 : 409;
}
