import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInAppTemplates } from '@innkeeper/services';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadAppTemplates } from './app-templates.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'innkeeper-templates-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
const problems = () => {
  try {
    loadAppTemplates(folder);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};
const ghost = {
  key: 'ghost',
  name: 'Ghost',
  runtime: 'nodejs',
  node_versions: ['22'],
  start_command: 'node index.js',
};

describe('app templates', () => {
  it('without a folder there are the built-in ones', () => {
    expect([...loadAppTemplates(undefined).keys()]).toEqual(['php', 'static', 'nodejs', 'wordpress']);
    expect(loadAppTemplates(folder)).toEqual(builtInAppTemplates);
  });

  it('the folder adds its templates, and other files there are ignored', () => {
    write('ghost.json', ghost);
    write('.ghost.json', '{');
    write('ghost.json~', '{');
    const templates = loadAppTemplates(folder);
    expect([...templates.keys()]).toEqual(['php', 'static', 'nodejs', 'wordpress', 'ghost']);
    expect(templates.get('ghost')).toMatchObject({ ...ghost, requires_domain: false, database: false });
  });

  it('errors name file and field, all at once', () => {
    write('a.json', { ...ghost, key: 'Ghost', colour: 'red' });
    write('b.json', '{"key":');
    write('c.json', []);
    write('d.json', { ...ghost, key: 'php' });
    write('e.json', { ...ghost, start_command: 'node a; rm b' });
    expect(problems()).toEqual([
      expect.stringContaining(`${folder}/a.json: key must have 1 to 64 of a-z`),
      `${folder}/a.json: colour is no field of a template.`,
      expect.stringContaining(`${folder}/b.json: it must be JSON: `),
      `${folder}/c.json: it must be an object.`,
      `${folder}/d.json: key must be no other template's; "php" is.`,
      `${folder}/e.json: start_command must not have ; (a list of commands): no shell reads it.`,
    ]);
  });

  it('a missing folder is an error', () => {
    rmSync(folder, { recursive: true });
    expect(problems()).toEqual([
      `INNKEEPER_TEMPLATES_DIR must name a folder that this user may read: ${folder} (ENOENT).`,
    ]);
    folder = mkdtempSync(join(tmpdir(), 'innkeeper-templates-'));
  });
});
