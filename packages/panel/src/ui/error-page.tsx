import { statusOf } from '@innkeeper/contract';
import {
  DatabaseUnreachableError,
  DomainError,
  type DomainErrorCode,
  RequestTimeoutError,
} from '@innkeeper/domain';
import type { PanelContext } from '../env.ts';
import { sayWhenToTryAgain } from '../http/form.ts';
import { leadToSignIn } from '../http/session.ts';
import { page } from './page.tsx';

const titles: Readonly<Record<DomainErrorCode, string>> = {
  invalid: 'This is not possible',
  unauthenticated: 'Sign in',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  conflict: 'This is not possible',
  quota_exceeded: 'The limit is reached',
  precondition_failed: 'This is not possible',
  unavailable: 'Not available',
};

const MISSING = 'This page does not exist, or you do not have access to it.';

/** Error page for any thrown error. An unexpected error shows only the ID of the request. */
export async function answerError(error: unknown, c: PanelContext): Promise<Response> {
  if (error instanceof RequestTimeoutError)
    return errorPage(c, {
      status: statusOf.unavailable,
      title: 'Timeout',
      sentence:
        c.req.method === 'GET'
          ? 'The panel could not load this page in time. Try again in a moment.'
          : 'Your request timed out but may still finish. Check the result before you try again.',
    });
  if (error instanceof DomainError) {
    const { code, message } = error;
    if (code === 'unauthenticated') return await leadToSignIn(c);
    const sentence = code === 'not_found' ? MISSING : message;
    return errorPage(c, { status: statusOf[code], title: titles[code], sentence });
  }
  const { status, message } = (error instanceof Error ? error : {}) as Partial<Error> & {
    status?: unknown;
  };
  sayWhenToTryAgain(c, error);
  if (status === 400 || status === 413 || status === 429 || status === 503)
    return errorPage(c, { status, title: 'This is not possible', sentence: message ?? '' });
  if (error instanceof DatabaseUnreachableError)
    return errorPage(c, {
      status: 503,
      title: 'Not available',
      sentence: 'The panel cannot reach its database. Nothing was changed. Try again in a moment.',
    });
  return errorPage(c, {
    status: 500,
    title: 'Something went wrong',
    sentence: `The panel has an internal error. Reference for support: ${c.var.requestId}.`,
  });
}

export function answerMissingPage(c: PanelContext): Response {
  return errorPage(c, { status: 404, title: 'Not found', sentence: MISSING });
}

function errorPage(c: PanelContext, error: { status: number; title: string; sentence: string }): Response {
  const { status, title, sentence } = error;
  return page(
    c,
    { title, status },
    <>
      <p>{sentence}</p>
      <p>
        <a class="btn" href="/">
          Go to the home page
        </a>
      </p>
    </>,
  );
}
