import { statusOf } from '@innkeeper/contract';
import { DatabaseUnreachableError, DomainError, RequestTimeoutError } from '@innkeeper/domain';
import type { PanelContext } from '../env.ts';
import { sayWhenToTryAgain } from '../http/form.ts';
import { leadToSignIn } from '../http/session.ts';
import { languageOf, textsFor } from '../language/language.ts';
import { translate } from '../language/sentences/translate.ts';
import { page } from './page.tsx';
import { uiTexts } from './texts/index.ts';

/** Error page for any thrown error. An unexpected error shows only the ID of the request. */
export async function answerError(error: unknown, c: PanelContext): Promise<Response> {
  const texts = textsFor(c, uiTexts);
  if (error instanceof RequestTimeoutError)
    return errorPage(c, {
      status: statusOf.unavailable,
      title: texts.timeout,
      sentence: c.req.method === 'GET' ? texts.pageTooSlow : texts.requestTooSlow,
    });
  if (error instanceof DomainError) {
    const { code, message } = error;
    if (code === 'unauthenticated') return await leadToSignIn(c);
    const sentence = code === 'not_found' ? texts.missingPage : translate(languageOf(c), message);
    return errorPage(c, { status: statusOf[code], title: texts.errorTitles[code], sentence });
  }
  const { status, message } = (error instanceof Error ? error : {}) as Partial<Error> & {
    status?: unknown;
  };
  sayWhenToTryAgain(c, error);
  if (status === 400 || status === 413 || status === 429 || status === 503)
    return errorPage(c, {
      status,
      title: texts.impossible,
      sentence: translate(languageOf(c), message ?? ''),
    });
  if (error instanceof DatabaseUnreachableError)
    return errorPage(c, {
      status: 503,
      title: texts.unavailable,
      sentence: texts.databaseUnreachable,
    });
  return errorPage(c, {
    status: 500,
    title: texts.somethingWrong,
    sentence: texts.internalError(c.var.requestId),
  });
}

export function answerMissingPage(c: PanelContext): Response {
  const texts = textsFor(c, uiTexts);
  return errorPage(c, { status: 404, title: texts.notFound, sentence: texts.missingPage });
}

function errorPage(c: PanelContext, error: { status: number; title: string; sentence: string }): Response {
  const texts = textsFor(c, uiTexts);
  const { status, title, sentence } = error;
  return page(
    c,
    { title, status },
    <>
      <p>{sentence}</p>
      <p>
        <a class="btn" href="/">
          {texts.goHome}
        </a>
      </p>
    </>,
  );
}
