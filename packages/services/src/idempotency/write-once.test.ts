import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const services = join(import.meta.dirname, '..');
const queries = join(import.meta.dirname, '../../../db/src/queries');

const filesWith = (folder: string, pattern: RegExp) =>
  globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts') && pattern.test(readFileSync(join(folder, file), 'utf8')))
    .sort();

it('only two functions of packages/db, and the creation of an account, store a generation', () => {
  const writes = /\bset\([^;]*\bgeneration[:,]|^ {2}generation: 1,$/m;
  expect(filesWith(queries, writes)).toEqual(['accounts.ts', 'packages.ts']);
  const { length } =
    readFileSync(join(queries, 'accounts.ts'), 'utf8').match(/\.set\([^;]*\bgeneration[:,]/g) ?? [];
  expect(length).toBe(1);
});

it('only desired-state.ts calls these two functions', () => {
  expect(filesWith(services, /\b(storeNextGeneration|raiseGenerationsOfPackage)\b/)).toEqual([
    'desired-state.ts',
  ]);
  expect(filesWith(services, /\binsertAccount\b/)).toEqual(['accounts/create-account.ts']);
  expect(filesWith(services, /\bupdateTable\('accounts'\)|\.wakeNode\(/)).toEqual(['desired-state.ts']);
});

it('the services of API resources open no transaction of their own, so each write is committed once', () => {
  const folders = /^(accounts|apps|cron-jobs|databases|domains)\//;
  expect(filesWith(services, /\binTransaction\(/).filter((file) => folders.test(file))).toEqual([]);
  // A person's name, the secret of a push hook, showing a password, and files change no desired state.
  expect(filesWith(services, /\bwriteOnce\(/)).toEqual([
    'accounts/set-account-person.ts',
    'apps/push-hook.ts',
    'databases/show-database-password.ts',
    'desired-state.ts',
    'files/note-file-change.ts',
  ]);
});
