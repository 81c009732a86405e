import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';

test.each(globSync('{apps,packages}/*/{src,test}/**/*.pl'))('Perl compiles %s without a warning', (file) => {
  expect(spawnSync('/usr/bin/perl', ['-wc', file], { encoding: 'utf8' }).stderr).toBe(`${file} syntax OK\n`);
});
