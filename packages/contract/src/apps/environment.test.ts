import { expect, test } from 'vitest';
import { environment } from './environment.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\r\n\tabc=\n-----END PRIVATE KEY-----';

test('a value may have several lines, for example a PEM key', () => {
  expect([...environment.parse({ KEY, ONE: 'line' })]).toEqual([
    ['KEY', KEY],
    ['ONE', 'line'],
  ]);
});

test.each(['a\0b', 'bell\u0007', 'form\fFeed', 'line\u2028separator'])(
  'a value with another control character is refused at its name: %j',
  (value) => {
    const { error } = environment.safeParse({ KEY: value });
    expect(error?.issues).toMatchObject([
      { path: ['KEY'], message: 'The :attribute field format is invalid.' },
    ]);
  },
);
