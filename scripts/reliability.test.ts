import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pageRows, provenPromises, titleOf } from './reliability.ts';

it('docs/reliability.md has a row for each test of the virtual machines', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/reliability.md'), 'utf8');
  expect(provenPromises().length).toBeGreaterThan(5);
  expect(pageRows(page).map(titleOf)).toEqual(provenPromises().map(titleOf));
});
