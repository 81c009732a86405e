import { describe, expect, it } from 'vitest';
import { importsOf, violationsOf } from './check-imports.ts';

/** Split, so that the check does not read this file's examples as imports. */
const from = (module: string) => ['import { x } from', `'${module}';`].join(' ');

describe('import rules', () => {
  it('see static, re-exported, side-effect and dynamic imports', () => {
    const source = [from('a'), "export * from './b.ts';", "import 'c';", "const d = await import('d');"];
    expect(importsOf(source.join('\n'))).toEqual(['a', './b.ts', 'c', 'd']);
  });

  it.each([
    ['apps/agent/src/agent.ts', '@innkeeper/db'],
    ['apps/agent/src/capabilities/web/apply.ts', 'execa'],
    ['apps/api/src/routes/accounts.ts', '@innkeeper/db'],
    ['packages/domain/src/limits/limits.ts', '@innkeeper/services'],
    ['packages/domain/src/limits/limits.ts', '@innkeeper/protocol/wire'],
    ['packages/db/src/index.ts', '../../services/src/index.ts'],
    ['packages/services/src/index.ts', 'node:child_process'],
    ['packages/panel/src/pages/nodes/list.tsx', '@innkeeper/db'],
    ['apps/api/src/app.ts', '@innkeeper/testkit'],
    ['apps/api/src/routes/domains.ts', 'nats'],
    ['apps/agent/src/capabilities/cron/cron.ts', '../php/php.ts'],
    ['apps/agent/src/capabilities/apps/task/tasks.ts', '../../php/php.ts'],
    ['apps/agent/src/capabilities/cron/cron-driver.ts', './fake.ts'],
    ['apps/agent/src/capabilities/certificates/acme.ts', './fake-authority.ts'],
    ['apps/agent/src/agent.ts', '../test/agent-rig.ts'],
    ['scripts/conformance-suite/client.ts', '@innkeeper/contract'],
    ['scripts/conformance-suite/sections/3-states.ts', '../../../packages/contract/src/index.ts'],
  ])('refuse %s importing %s', (file, module) => {
    expect(violationsOf(file, from(module))).not.toEqual([]);
  });

  it.each([
    ['apps/agent/src/node/exec.ts', 'execa'],
    ['packages/services/src/accounts/create.ts', 'kysely'],
    ['apps/api/test/integration/a.test.ts', '@innkeeper/testkit'],
    ['apps/api/src/nodes/nats-connection.ts', 'nats'],
    ['apps/agent/src/capabilities/cron/cron.ts', '../php/host.ts'],
    ['apps/agent/src/capabilities/cron/fake.ts', '../php/php.ts'],
    ['apps/agent/src/capabilities/cron/cron.test.ts', './fake.ts'],
    ['apps/agent/src/capabilities/apps/programs/programs.ts', '../releases/app-files.ts'],
    ['scripts/conformance.ts', './conformance-suite/run.ts'],
    ['scripts/conformance-suite/sections/3-states.ts', '../clause.ts'],
  ])('allow %s importing %s', (file, module) => {
    expect(violationsOf(file, from(module))).toEqual([]);
  });

  it.each([
    ['capabilities/home/homes.ts', '{ type Stats, unlinkSync }'],
    ['capabilities/remains/remains.ts', '{ readFile, rename as move }'],
    ['capabilities/home/home-driver.ts', '{ rmSync }'],
    ['reconciler/pass.ts', '* as fs'],
    ['agent.ts', 'fs'],
  ])('refuse a change of files by root in %s: %s', (file, names) => {
    for (const module of ['node:fs', 'node:fs/promises', 'fs'])
      expect(violationsOf(`apps/agent/src/${file}`, `import ${names} from '${module}';`)).toHaveLength(1);
  });

  it.each([
    ['apps/agent/src/capabilities/home/homes.ts', '{ readFile, lstat }'],
    ['apps/agent/src/capabilities/home/homes.test.ts', '{ rmSync }'],
    ['apps/agent/src/node/root-folder.ts', '{ unlink }'],
    ['apps/agent/src/capabilities/apps/task/files.ts', '{ rmSync }'],
    ['apps/innctl/src/main.ts', '{ rmSync }'],
  ])('allow %s to import %s', (file, names) => {
    expect(violationsOf(file, `import ${names} from 'node:fs';`)).toEqual([]);
  });
});
