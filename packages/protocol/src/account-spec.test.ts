import { expect, test } from 'vitest';
import { accountSpecSchema, releaseSpecSchema } from './account-spec.ts';

const release = {
  release_id: 1,
  source: 'git',
  archive_sha256: '',
  archive_bytes: 0,
  git_repository: 'https://git.example.com/a.git',
  git_branch: 'main',
  git_deploy_key: '',
};

test('an agent refuses a repository address with credentials or of another form', () => {
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

test('a hash of a million rounds and an archive above 4 GiB are refused', () => {
  const hash = (rounds: string) => `$6$${rounds}salt$${'a'.repeat(86)}`;
  const { password_hash } = accountSpecSchema.shape;
  for (const good of ['', 'rounds=5000$', 'rounds=999999$'])
    expect(password_hash.safeParse(hash(good)).success, good).toBe(true);
  for (const bad of ['rounds=1000000$', 'rounds=999999999$', 'rounds=1$'])
    expect(password_hash.safeParse(hash(bad)).success, bad).toBe(false);
  const zip = {
    ...release,
    source: 'zip',
    archive_sha256: 'a'.repeat(64),
    git_repository: '',
    git_branch: '',
  };
  expect(releaseSpecSchema.safeParse({ ...zip, archive_bytes: 4 * 1024 ** 3 }).success).toBe(true);
  expect(releaseSpecSchema.safeParse({ ...zip, archive_bytes: 4 * 1024 ** 3 + 1 }).success).toBe(false);
});

test('a stored spec without a newer limit is read as unlimited; a size is required', () => {
  const sizes = { disk_mb: 100, bandwidth_mb: 100, cpu_percent: 100, ram_mb: 128 };
  const { limits } = accountSpecSchema.shape;
  expect(limits.parse(sizes)).toEqual({
    ...sizes,
    io_read_mbps: null,
    io_write_mbps: null,
    iops: null,
    max_processes: null,
  });
  const { ram_mb: _, ...withoutMemory } = sizes;
  expect(limits.safeParse(withoutMemory).success).toBe(false);
  expect(limits.safeParse({ ...sizes, max_threads: 1 }).success).toBe(false);
});
