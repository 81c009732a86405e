import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const services = join(import.meta.dirname, '..');
/** Folders of what API tokens can change. */
const folders = ['accounts', 'apps', 'cron-jobs', 'databases', 'domains'];

it('is how every write of the API is committed', () => {
  const files = globSync(`{${folders.join(',')}}/**/*.ts`, { cwd: services });
  const texts = files.map((file) => ({ file, text: readFileSync(join(services, file), 'utf8') }));
  expect(texts.filter(({ text }) => /\binTransaction\(/.test(text)).map(({ file }) => file)).toEqual([]);
  expect(texts.filter(({ text }) => text.includes('writeOnce(ctx,')).length).toBeGreaterThan(5);
});
