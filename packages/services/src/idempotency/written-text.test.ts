import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readWritten, writtenText } from './written-text.ts';

it('returns the stored result of a write unchanged, including Dates', () => {
  const date = fc.date({ noInvalidDate: true });
  const { view } = fc.letrec((tie) => ({
    view: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      date,
      fc.array(tie('view')),
      fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), tie('view')),
    ),
  }));
  fc.assert(
    fc.property(view, (written) => {
      expect(readWritten(writtenText(written))).toEqual(written);
    }),
  );
});

it('reads a text that looks like a date as a text', () => {
  const written = { name: '2026-11-21T00:37:37.000Z', at: new Date(0) };
  expect(readWritten(writtenText(written))).toEqual(written);
});
