import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Changes, takeCrashTrigger } from './changes.ts';

test('crashes once, right after the named change', () => {
  let crashes = 0;
  const changes = new Changes(2, () => {
    crashes += 1;
  });
  const seen = [1, 2, 3].map(() => {
    changes.record();
    return crashes;
  });
  expect(seen).toEqual([0, 1, 1]);
  expect(changes.count).toBe(3);
});

test.each([
  ['3\n', 3],
  ['0', undefined],
  ['x', undefined],
  ['', undefined],
])('the crash trigger %j is read as %j, and is removed by the read', (text, after) => {
  const path = join(mkdtempSync(join(tmpdir(), 'crash-')), 'crash-after');
  writeFileSync(path, text);
  expect(takeCrashTrigger(path)).toBe(after);
  expect(existsSync(path)).toBe(false);
  expect(takeCrashTrigger(path)).toBeUndefined();
});
