import { DomainError, type DomainErrorCode, invalidField } from '@innkeeper/domain';
import { describe, expect, it } from 'vitest';
import { ask } from '../../test/ask.ts';
import { fakeDeps } from '../../test/fake-deps.ts';
import { createApp } from '../app.ts';
import { errorResponse } from './error-response.ts';

const answered = async (error: unknown) => {
  const response = errorResponse(error, 'request-1');
  return [response.status, await response.json()];
};

describe('an expected refusal', () => {
  it.each<[code: DomainErrorCode, status: number, body: unknown]>([
    ['invalid', 422, { message: 'Because.' }],
    ['unauthenticated', 401, { message: 'Because.' }],
    ['forbidden', 403, { message: 'Because.' }],
    ['not_found', 404, { message: 'Not found.' }],
    ['conflict', 409, { message: 'Because.' }],
    ['quota_exceeded', 422, { error: 'Because.' }],
    ['precondition_failed', 422, { error: 'Because.' }],
    ['unavailable', 503, { message: 'Because.' }],
  ])('%s is %i', async (code, status, body) => {
    expect(await answered(new DomainError(code, 'Because.'))).toEqual([status, body]);
  });

  it('a refusal of fields names the fields', async () => {
    expect(await answered(invalidField('username', 'The username has already been taken.'))).toEqual([
      422,
      {
        message: 'The username has already been taken.',
        errors: { username: ['The username has already been taken.'] },
      },
    ]);
  });
});

describe('an unexpected error', () => {
  it('an unexpected error shows no details', async () => {
    const suspendAccount = async () => {
      throw new Error("Duplicate entry 'secret' for key 'users'");
    };
    const app = createApp(fakeDeps({ services: { suspendAccount } }));
    const reply = await ask(app, { method: 'PATCH', path: '/accounts/1/suspend', token: 'admin' });
    expect([reply.status, reply.body]).toEqual([
      500,
      { message: 'Server Error', request_id: reply.headers.get('X-Request-Id') },
    ]);
  });
});
