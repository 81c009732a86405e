import { expect, test } from 'vitest';
import { gitSource } from './git-source.ts';

test.each([
  'https://user:secret@git.example.com/a.git',
  'https://token@git.example.com/a.git',
  'ssh://git:secret@git.example.com/a.git',
])('%s is refused with the reason, at its field', (repository) => {
  expect(gitSource.safeParse({ repository }).error?.issues).toMatchObject([
    {
      path: ['repository'],
      message:
        'The :attribute field must not contain a password or token: use an SSH address with a deploy key.',
    },
  ]);
});

test('a text that is no repository address is refused for its form', () => {
  expect(gitSource.safeParse({ repository: 'ftp://a/b' }).error?.issues).toMatchObject([
    { path: ['repository'], message: 'The :attribute field format is invalid.' },
  ]);
});
