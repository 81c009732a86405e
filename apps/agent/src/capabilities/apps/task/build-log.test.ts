import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BuildLog } from './build-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'innkeeper-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('keeps a short log unchanged', () => {
  const log = new BuildLog(join(folder, 'log'));
  log.write('one\n');
  log.write(Buffer.from('two é\n'));
  expect(log.tail(6)).toBe('two é\n');
  log.close();
  expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('one\ntwo é\n');
});

test('keeps the beginning and the end of an endless log, within a size limit', () => {
  const log = new BuildLog(join(folder, 'log'));
  log.write('the beginning\n');
  for (let at = 0; at < 3_000; at += 1) log.write('x'.repeat(1_000));
  log.write('\nthe end\n');
  log.close();
  const text = readFileSync(join(folder, 'log'), 'utf8');
  expect(text.startsWith('the beginning\n')).toBe(true);
  expect(text.endsWith('\nthe end\n')).toBe(true);
  expect(text.length).toBeLessThan(1_200_000);
});
