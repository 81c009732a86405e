import { expect, test } from 'vitest';
import { releaseSpecSchema } from './account-spec.ts';

const release = {
  release_id: 1,
  source: 'git',
  archive_sha256: '',
  archive_bytes: 0,
  git_repository: 'https://git.example.com/a.git',
  git_branch: 'main',
  git_deploy_key: '',
};

test('an agent takes no repository whose address holds credentials, or is of a form that the contract refuses', () => {
  expect(releaseSpecSchema.safeParse(release).success).toBe(true);
  for (const git_repository of [
    'https://user:secret@git.example.com/a.git',
    'https://token@git.example.com/a.git',
    'ssh://git:secret@git.example.com/a.git',
    'ext::sh -c id',
    '--upload-pack=id',
    'file:///etc',
  ])
    expect(releaseSpecSchema.safeParse({ ...release, git_repository }).success, git_repository).toBe(false);
});
