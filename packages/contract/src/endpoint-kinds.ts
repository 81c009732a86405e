import { z } from 'zod';
import type { ErrorStatus } from './error-bodies.ts';
import { recordParams } from './record-references.ts';

export const dataOf = <T extends z.ZodType>(schema: T) => z.strictObject({ data: schema });
export const messageOf = (message: string) => z.strictObject({ message: z.literal(message) });

export const guarded = [401, 403, 429, 500, 503] as const satisfies readonly ErrorStatus[];
export const listed = [...guarded, 422] as const;
const ofRecord = [...guarded, 404] as const;
/** Any write can find its Idempotency-Key in progress (409) or used by a different request (422). */
export const written = [...guarded, 404, 409, 422] as const;
const withBody = [...written, 413] as const;

const onRecord = { limit: 'user', status: 200, params: recordParams } as const;

export const read = { method: 'GET', limit: 'user', status: 200 } as const;
export const show = { ...onRecord, method: 'GET', errors: ofRecord } as const;
/** Lists the records of one account (404 if the token cannot see it) or of all. */
export const listOfAccount = { ...read, errors: [...ofRecord, 422] } as const;
export const create = { method: 'POST', limit: 'user', status: 201, errors: withBody } as const;
export const act = { ...onRecord, method: 'POST', errors: withBody } as const;
export const change = { ...onRecord, method: 'PATCH', errors: withBody } as const;
export const remove = { ...onRecord, method: 'DELETE', errors: written } as const;
