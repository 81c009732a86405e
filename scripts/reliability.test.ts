import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pageTitles, provenTitles } from './reliability.ts';

it('docs/reliability.md has a row for each test of the virtual machine', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/reliability.md'), 'utf8');
  expect(provenTitles().length).toBeGreaterThan(5);
  expect(pageTitles(page)).toEqual(provenTitles());
});
