import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownerNamed } from '../../node/owner.ts';
import { AccountTables, type AccountTexts } from './account-tables.ts';

const texts: AccountTexts = {
  passwd: 'root:x:0:0:root:/root:/bin/bash\nbob:x:1000:1000:B\xf6b,,,:/home/bob:/bin/zsh\n',
  shadow: 'root:*:19000:0:99999:7:::\nbob:$y$hash:19000:0:99999:7:::\n',
  group: 'root:x:0:\nbob:x:1000:\nsudo:x:27:bob\nusers:x:100:demodemo\n',
  gshadow: 'root:*::\nbob:!::\nsudo:*::bob\nusers:*::demodemo\n',
};
const memberships = {
  group: 'root:x:0:\nbob:x:1000:\nsudo:x:27:bob,demo\nusers:x:100:demodemo,demo\n',
  gshadow: 'root:*::\nbob:!::\nsudo:*::bob,demo\nusers:*::demodemo,demo\n',
};
const owner = ownerNamed('demo', 20_000);
const put = { kind: 'put', owner, accountId: 1 } as const;
const login = {
  kind: 'set-login',
  owner,
  accountId: 1,
  shell: '/bin/bash',
  password: '$6$a$b',
  expires: '',
} as const;
const names = ['passwd', 'shadow', 'group', 'gshadow'] as const;
const all = (tables: AccountTables) => names.map((name) => tables.text(name));

describe('the account database', () => {
  test('appends a user that cannot log in', () => {
    const tables = new AccountTables(texts);
    tables.edit(put, 20_500);
    expect(all(tables)).toEqual([
      `${texts.passwd}demo:x:20000:20000:Hosting account 1:/home/demo:/usr/sbin/nologin\n`,
      `${texts.shadow}demo:!:20500:0:99999:7::1:\n`,
      `${texts.group}demo:x:20000:\n`,
      `${texts.gshadow}demo:!::\n`,
    ]);
  });

  test('is byte for byte the same after the user is removed, except memberships', () => {
    const tables = new AccountTables({ ...texts, ...memberships });
    tables.edit(put, 20_500);
    tables.edit({ ...login, expires: '1' }, 20_500);
    tables.edit({ kind: 'remove', owner, accountId: 1 }, 20_500);
    expect(tables.text('passwd')).toBe(texts.passwd);
    expect(tables.text('shadow')).toBe(texts.shadow);
    expect(tables.text('group')).toBe('root:x:0:\nbob:x:1000:\nsudo:x:27:bob\nusers:x:100:demodemo\n');
    expect(tables.text('gshadow')).toBe('root:*::\nbob:!::\nsudo:*::bob\nusers:*::demodemo\n');
  });

  test('keeps lines of NIS last', () => {
    const tables = new AccountTables({ ...texts, passwd: `${texts.passwd}+::::::\n` });
    tables.edit(put, 20_500);
    expect(tables.text('passwd').split('\n').slice(-3)).toEqual([
      expect.stringMatching(/^demo:/),
      '+::::::',
      '',
    ]);
    expect(tables.find(owner).passwd).toHaveLength(1);
  });

  test('stores the day of a new password, and only then', () => {
    const tables = new AccountTables(texts);
    tables.edit(put, 20_500);
    tables.edit(login, 20_600);
    tables.edit({ ...login, shell: '/bin/sh' }, 20_700);
    expect(tables.text('shadow')).toContain('demo:$6$a$b:20600:');
  });

  test.each([
    [
      'the name is a user with another uid',
      { passwd: 'demo:x:1001:1001::/:/bin/sh\n' },
      'The user demo exists',
    ],
    ['the uid is another user’s', { passwd: 'else:x:20000:20000::/:/bin/sh\n' }, 'belongs to the user else'],
    ['the name is a group with another gid', { group: 'demo:x:1001:\n' }, 'The group demo exists'],
    ['the gid is another group’s', { group: 'else:x:20000:\n' }, 'belongs to the group else'],
  ])('refuses and changes nothing when %s', (_, foreign, message) => {
    const before = { ...texts, ...foreign };
    const tables = new AccountTables(before);
    for (const edit of [put, login, { kind: 'remove', owner, accountId: 1 } as const])
      expect(() => tables.edit(edit, 20_500)).toThrow(message);
    expect(all(tables)).toEqual(names.map((name) => before[name]));
  });

  test.each([
    ['the comment is a person’s', 'demo:x:20000:20000:Demo,,,:/home/demo:/bin/bash\n', 'its comment is not'],
    [
      'the comment is another account’s',
      'demo:x:20000:20000:Hosting account 10:/home/demo:/bin/bash\n',
      'its comment',
    ],
    [
      'the home is elsewhere',
      'demo:x:20000:20000:Hosting account 1:/srv/demo:/bin/bash\n',
      'its home is not',
    ],
  ])('belongs to somebody else, although name and uid match, when %s', (_, passwd, message) => {
    const before = { ...texts, passwd };
    const tables = new AccountTables(before);
    expect(tables.findStranger(owner, 1)).toContain(message);
    for (const edit of [put, login, { kind: 'remove', owner, accountId: 1 } as const])
      expect(() => tables.edit(edit, 20_500)).toThrow(message);
    expect(all(tables)).toEqual(names.map((name) => before[name]));
  });

  test('refuses login to a member of another group, and can still remove it', () => {
    const tables = new AccountTables({ ...texts, ...memberships });
    tables.edit(put, 20_500);
    expect(() => tables.edit(login, 20_500)).toThrow('is a member of sudo, users');
    tables.edit({ ...login, expires: '1' }, 20_500);
    expect(tables.find(owner).shadow?.expires).toBe('1');
  });

  test('never contains a field with a separator', () => {
    const tables = new AccountTables(texts);
    tables.edit(put, 1);
    expect(() => tables.edit({ ...login, password: 'a:b' }, 1)).toThrow(TypeError);
    expect(() => tables.edit({ ...login, shell: 'a\nroot2::0:0' }, 1)).toThrow(TypeError);
  });

  test('keeps every foreign line byte for byte', () => {
    const foreign = fc
      .string({ unit: 'binary', maxLength: 30 })
      .map((text) => Buffer.from(text, 'utf8').toString('latin1').replaceAll('\n', ' '));
    const line = foreign.filter(
      (text) => !/^demo:|^[^:]*:[^:]*:20000(?::|$)|demo/.test(text) && !/^[+-]/.test(text),
    );
    fc.assert(
      fc.property(fc.array(line.filter((text) => text !== '')), (lines) => {
        const text = lines.map((content) => `${content}\n`).join('');
        const tables = new AccountTables({ passwd: text, shadow: text, group: text, gshadow: text });
        tables.edit(put, 1);
        tables.edit(login, 1);
        expect(names.every((name) => tables.text(name).startsWith(text))).toBe(true);
        tables.edit({ kind: 'remove', owner, accountId: 1 }, 1);
        expect(all(tables)).toEqual([text, text, text, text]);
      }),
    );
  });
});

describe('additional logins of an account', () => {
  const withGroup: AccountTexts = {
    ...texts,
    group: `${texts.group}innkeeper-ftp:x:990:\n`,
    gshadow: `${texts.gshadow}innkeeper-ftp:!::\n`,
  };
  const wanted = [
    { name: 'demo_web', password: '$6$a$b' },
    { name: 'demo_key', password: '!' },
  ];
  const putLogins = { kind: 'put-logins', owner, accountId: 1, logins: wanted } as const;
  const uidsOf = (tables: AccountTables) =>
    tables
      .text('passwd')
      .split('\n')
      .flatMap((line) => (line.split(':')[2] === '20000' ? [line.split(':')[0]] : []));
  const withLogins = () => {
    const tables = new AccountTables(withGroup);
    tables.edit(put, 20_500);
    tables.edit(putLogins, 20_500);
    return tables;
  };

  test('are users with its uid, after it, in the group of logins', () => {
    const tables = withLogins();
    expect(uidsOf(tables)).toEqual(['demo', 'demo_web', 'demo_key']);
    expect(tables.text('passwd')).toContain(
      'demo_web:x:20000:20000:FTP login of hosting account 1:/var/lib/innkeeper/jail/files:/bin/false\n',
    );
    expect(tables.text('shadow')).toContain('demo_web:$6$a$b:20500:0:99999:7:::\n');
    for (const name of ['group', 'gshadow'] as const)
      expect(tables.text(name)).toMatch(/^innkeeper-ftp:.*:demo_web,demo_key$/m);
    const { passwd, logins, memberOf } = tables.find(owner);
    expect([passwd.length, logins.map(({ name }) => name), memberOf]).toEqual([
      1,
      ['demo_web', 'demo_key'],
      [],
    ]);
  });

  test('stay after it when its lost line is restored', () => {
    const lost = withLogins()
      .text('passwd')
      .replace(/^demo:.*\n/m, '');
    const before = withLogins();
    const tables = new AccountTables({
      passwd: lost,
      shadow: before.text('shadow'),
      group: before.text('group'),
      gshadow: before.text('gshadow'),
    });
    tables.edit(put, 20_500);
    expect(uidsOf(tables)).toEqual(['demo', 'demo_web', 'demo_key']);
  });

  test('go with the account, byte for byte, and one by one', () => {
    const tables = withLogins();
    tables.edit({ kind: 'remove-logins', owner, accountId: 1, names: ['demo_key', 'bob', 'demo'] }, 20_500);
    expect(uidsOf(tables)).toEqual(['demo', 'demo_web']);
    tables.edit({ kind: 'remove', owner, accountId: 1 }, 20_500);
    expect(all(tables)).toEqual(names.map((name) => withGroup[name]));
  });

  test.each([
    ['another uid', 'demo_web:x:1500:1500::/srv:/bin/sh'],
    ['the uid, made by hand', 'demo_web:x:20000:20000::/var/lib/innkeeper/jail/files:/bin/false'],
  ])('do not replace a user of that name with %s', (_what, line) => {
    const tables = new AccountTables({ ...withGroup, passwd: `${withGroup.passwd}${line}\n` });
    expect(() => {
      tables.edit(put, 20_500);
      tables.edit(putLogins, 20_500);
    }).toThrow(/exists already|belongs to the user/);
    expect(tables.text('passwd')).toContain(`${line}\n`);
  });

  test('of an account whose name begins alike are not its own', () => {
    const tables = withLogins();
    const other = ownerNamed('demo_web', 20_001);
    expect(tables.find(other).logins).toEqual([]);
    tables.edit({ kind: 'remove-logins', owner, accountId: 1, names: ['demo_web'] }, 20_500);
    tables.edit({ ...put, owner: other, accountId: 2 }, 20_500);
    tables.edit(
      { ...putLogins, owner: other, accountId: 2, logins: [{ name: 'demo_web_x', password: '!' }] },
      20_500,
    );
    expect(tables.find(owner).logins.map(({ name }) => name)).toEqual(['demo_key']);
    tables.edit({ kind: 'remove', owner, accountId: 1 }, 20_500);
    expect(tables.find(other).logins).toHaveLength(1);
  });

  test('need the group of the installer', () => {
    const tables = new AccountTables(texts);
    tables.edit(put, 20_500);
    expect(() => tables.edit(putLogins, 20_500)).toThrow('run the installer again');
  });
});
