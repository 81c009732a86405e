import type { Answer } from './answer.ts';
import { isErrorBody } from './errors.ts';
import type { Seen } from './world.ts';

/** Returns the parts of an answer that the clauses about all answers need. */
export function seenOf(answer: Answer): Seen {
  const { request, status, headers, body, text } = answer;
  return {
    request,
    status,
    isJson: /^application\/json\b/.test(headers.get('content-type') ?? '') && body !== undefined,
    hasErrorBody: isErrorBody(body),
    passwordFields: [...text.matchAll(/"(db_password|password)"\s*:/g)].map((match) => match[1] ?? ''),
  };
}
