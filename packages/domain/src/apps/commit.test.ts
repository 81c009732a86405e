import { expect, it } from 'vitest';
import { COMMIT_AUTHOR_MAX_CHARACTERS, COMMIT_SUBJECT_MAX_CHARACTERS, readCommit } from './commit.ts';

const hash = 'a'.repeat(40);

it('keeps what people write, with accents and pictures', () => {
  const commit = { hash, author: 'Zoë Ünal', subject: 'Fix the cart 🛒 <b>now</b>' };
  expect(readCommit(commit)).toEqual(commit);
  expect(readCommit({ ...commit, hash: 'b'.repeat(64) })?.hash).toBe('b'.repeat(64));
});

it('removes control characters, terminal colors, line ends, and marks that reverse the text', () => {
  const commit = readCommit({
    hash,
    author: 'a\u0000\u001b[31mb\u202ec',
    subject: ' one\r\n\ttwo\u2066 \ud800',
  });
  expect(commit).toMatchObject({ author: 'a[31mbc', subject: 'one two \ufffd' });
});

it('limits author and subject, and never cuts a character in two', () => {
  const commit = readCommit({ hash, author: 'ü'.repeat(5_000), subject: '🛒'.repeat(5_000) });
  expect([...(commit?.author ?? '')].length).toBe(COMMIT_AUTHOR_MAX_CHARACTERS);
  expect([...(commit?.subject ?? '')].length).toBe(COMMIT_SUBJECT_MAX_CHARACTERS);
  expect(commit?.subject.isWellFormed()).toBe(true);
});

it.each(['', 'A'.repeat(40), 'a'.repeat(39), `${hash}\n`, '../../etc'])('refuses the hash %j', (wrong) => {
  expect(readCommit({ hash: wrong, author: 'a', subject: 'b' })).toBeUndefined();
});
