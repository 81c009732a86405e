import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { adoptLists } from './adopt-lists.ts';
import type { Site } from './host.ts';

const live = mkdtempSync(join(tmpdir(), 'lists-'));
afterEach(() => rmSync(live, { recursive: true, force: true }));

test('the lists of an earlier release become links, and accounts that are not in them lose theirs', () => {
  const header = '# Managed by Innkeeper: written by the agent, changes are undone.\n';
  const lists = {
    'site.map': `${header}a.example 20000:/home/shop/domains/a.example/public_html:;
b.example 20000:/home/shop/domains/b.example/public_html:/run/innkeeper/apps/7.sock;
www.c.example 20001:/home/other/domains/www.c.example/public_html:;
`,
    'certificate.map': `${header}a.example key-a:key-a;\nwww.c.example key-c:key-c;\nb.example key-b:;\n`,
    'php.names': header,
    'proxy.names': `${header}server_name b.example www.b.example;\n`,
    'suspended.names': `${header}server_name www.c.example;\n`,
  };
  for (const [name, text] of Object.entries(lists)) writeFileSync(join(live, name), text);
  const placed = new Map<number, readonly Site[]>();
  const folder = {
    uids: [20_000, 20_009],
    place: (uid: number, sites: readonly Site[]) => void placed.set(uid, sites),
  };
  expect(adoptLists(folder, live)).toBe(3);
  const php = { kind: 'php', user: 'shop', appId: null, settings: '', passwords: null };
  expect(placed.get(20_000)).toEqual([
    { ...php, name: 'a.example', certificate: 'key-a', aliasCertificate: 'key-a' },
    { ...php, name: 'b.example', kind: 'proxy', appId: 7, certificate: 'key-b', aliasCertificate: null },
  ]);
  expect(placed.get(20_001)).toEqual([
    {
      name: 'www.c.example',
      kind: 'suspended',
      user: 'other',
      appId: null,
      certificate: 'key-c',
      aliasCertificate: null,
      settings: '',
      passwords: null,
    },
  ]);
  expect(placed.get(20_009)).toEqual([]);
});
