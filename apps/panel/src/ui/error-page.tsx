import { DomainError, type DomainErrorCode } from '@innkeeper/domain';
import type { PanelContext } from '../env.ts';
import { sayWhenToTryAgain } from '../http/form.ts';
import { leadToSignIn } from '../http/session.ts';
import { page } from './page.tsx';

const titles: Readonly<Record<DomainErrorCode, readonly [status: number, title: string]>> = {
  invalid: [422, 'This cannot be done'],
  unauthenticated: [401, 'Sign in'],
  forbidden: [403, 'Not allowed'],
  not_found: [404, 'Not found'],
  conflict: [409, 'This cannot be done'],
  quota_exceeded: [422, 'The limit is reached'],
  precondition_failed: [422, 'This cannot be done'],
  unavailable: [503, 'Not available now'],
};

const MISSING = 'There is nothing here, or nothing that you may see.';

/** A page for whatever was thrown. What is not expected shows nothing of itself but the request's id. */
export async function answerError(error: unknown, c: PanelContext): Promise<Response> {
  if (error instanceof DomainError) {
    if (error.code === 'unauthenticated') return await leadToSignIn(c);
    const [status, title] = titles[error.code];
    return errorPage(c, { status, title, sentence: error.code === 'not_found' ? MISSING : error.message });
  }
  const { status, message, name } = (error instanceof Error ? error : {}) as Partial<Error> & {
    status?: unknown;
  };
  sayWhenToTryAgain(c, error);
  if (name === 'RequestTimeoutError')
    return errorPage(c, {
      status: 503,
      title: 'This takes too long',
      sentence:
        c.req.method === 'GET'
          ? 'The panel could not make this page in time. Try again in a moment.'
          : 'What you asked for may still be done: look before you ask for it again.',
    });
  if (status === 400 || status === 413 || status === 429 || status === 503)
    return errorPage(c, { status, title: 'This cannot be done', sentence: message ?? '' });
  if (name === 'DatabaseUnreachableError')
    return errorPage(c, {
      status: 503,
      title: 'Not available now',
      sentence: 'The panel cannot reach its database. Nothing was changed. Try again in a moment.',
    });
  return errorPage(c, {
    status: 500,
    title: 'Something went wrong',
    sentence: `This is a fault of the panel. Whoever runs it finds it in the log under ${c.var.requestId}.`,
  });
}

export function answerMissingPage(c: PanelContext): Response {
  return errorPage(c, { status: 404, title: 'Not found', sentence: MISSING });
}

function errorPage(c: PanelContext, said: { status: number; title: string; sentence: string }): Response {
  const { status, title, sentence } = said;
  return page(
    c,
    { title, status },
    <>
      <p>{sentence}</p>
      <p>
        <a class="button" href="/">
          To the first page
        </a>
      </p>
    </>,
  );
}
