import { pino } from 'pino';
import { expect, it } from 'vitest';
import { describeError } from './logger.ts';

it('the log has the description of an error, and no other fields of it', () => {
  const lines: string[] = [];
  const logger = pino({ serializers: { err: describeError } }, { write: (line: string) => lines.push(line) });
  const cause = Object.assign(new Error('Duplicate entry'), { code: 'ER_DUP_ENTRY', sql: "set x = 'hash'" });
  logger.error({ err: new Error('could not store', { cause }) });
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
    message: 'could not store',
    cause: { message: 'Duplicate entry', code: 'ER_DUP_ENTRY' },
  });
  expect(lines[0]).not.toContain('hash');
});

it('the log has other thrown values as text, and an endless chain of causes up to a limit', () => {
  expect(describeError('text')).toBe('text');
  const loop = new Error('loop');
  loop.cause = loop;
  expect(JSON.stringify(describeError(loop)).match(/"message":"loop"/g)).toHaveLength(6);
});
