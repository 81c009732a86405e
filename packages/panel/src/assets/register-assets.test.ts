import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, it } from 'vitest';
import files from './files.embed.ts';

const source = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

it('the served script is a program without comments, with every event and attribute of the file', () => {
  const served = files['panel.js'];
  expect(parseSync('panel.js', served).errors).toEqual([]);
  const names = new Set(source('panel.js').match(/data-[a-z-]+|addEventListener\('[a-z]+'/g));
  expect(names.size).toBeGreaterThan(10);
  for (const name of names) expect(served.replaceAll('"', "'"), name).toContain(name);
  expect(served).not.toContain('/*');
});

it('the served style has every class and color of the file', () => {
  const served = files['panel.css'];
  const rules = source('panel.css').replaceAll(/\/\*.*?\*\//gs, '');
  for (const name of new Set(rules.match(/\.[a-z][\w-]*(?=[\s,{:.>)])|--[a-z][\w-]*(?=:)/g)))
    expect(served, name).toContain(name);
  expect(served).not.toContain('/*');
});
