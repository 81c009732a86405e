import { describe, expect, it } from 'vitest';
import { exists, pathsIn } from './check-doc-paths.ts';

describe('the check of paths in the documentation', () => {
  it('finds paths and file names in backquotes, and links beside the document', () => {
    const text = [
      'See `apps/api/src/app.ts`, `packages/panel/src/pages/<area>`, `./scripts/test [filter]` and `create.ts`.',
      '[Design](design/README.md#words), [site](https://example.com/x.md), [below](#below).',
      '```sh',
      'cat `apps/in/an/example.ts`',
      '```',
    ].join('\n');
    expect(pathsIn(text, 'docs/development.md')).toEqual([
      'apps/api/src/app.ts',
      'packages/panel/src/pages/<area>',
      'scripts/test',
      'create.ts',
      'docs/design/README.md',
    ]);
  });

  it('ignores commands, settings, URLs and files of a server or a build', () => {
    const text =
      '`pnpm verify` `/etc/innkeeper/api.conf` `~/logs/a.md` `.run/panel.json` `innctl.mjs` `a.b` `GET /x`';
    expect(pathsIn(text, 'README.md')).toEqual([]);
  });

  it.each([
    ['apps/api/src/app.ts', true],
    ['apps/api', true],
    ['apps/<name>/src/*.ts', true],
    ['apps/**/create.ts', true],
    ['apps/{api,agent}/src/app.ts', true],
    ['create.ts', true],
    ['accounts/create.ts', true],
    ['apps/api/src/ap.ts', false],
    ['api/src', true],
    ['src/app.t', false],
    ['reate.ts', false],
    ['apps/<name>/app.ts', false],
    ['docs/app.ts', false],
  ])('%s exists: %s', (path, expected) => {
    expect(exists(path, ['apps/api/src/app.ts', 'apps/api/src/accounts/create.ts'])).toBe(expected);
  });
});
