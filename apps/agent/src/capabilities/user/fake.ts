import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import { AccountTables, type AccountTexts, tableNames } from './account-tables.ts';

/** The account database of a fake hosting server. */
export class FakeAccounts {
  texts: AccountTexts = {
    passwd: 'root:x:0:0:root:/root:/bin/bash\nwww-data:x:33:33::/var/www:/usr/sbin/nologin\n',
    shadow: 'root:*:19000:0:99999:7:::\nwww-data:*:19000:0:99999:7:::\n',
    group: 'root:x:0:\nwww-data:x:33:\ninnkeeper-ftp:x:990:\n',
    gshadow: 'root:*::\nwww-data:*::\ninnkeeper-ftp:!::\n',
  };

  host(changes: Changes): Pick<Host, 'accounts'> {
    return {
      accounts: {
        find: async (owner) => ({ ...new AccountTables(this.texts).find(owner), elsewhere: false }),
        findStranger: async (owner, accountId) =>
          new AccountTables(this.texts).findStranger(owner, accountId),
        edit: async (edit) => {
          const tables = new AccountTables(this.texts);
          tables.edit(edit, 20_000);
          for (const name of tableNames) {
            if (tables.text(name) === this.texts[name]) continue;
            this.texts = { ...this.texts, [name]: tables.text(name) };
            changes.record();
          }
        },
      },
    };
  }

  traces(owner: Owner): string[] {
    const { passwd, logins } = new AccountTables(this.texts).find(owner);
    return passwd.length + logins.length > 0 ? ['user'] : [];
  }

  tamperings({ linux_user }: AccountSpec) {
    const replace = (name: keyof AccountTexts, pattern: RegExp, replacement: string) => () =>
      this.#edit(name, (text) => text.replace(pattern, replacement));
    return {
      'user line removed': replace('passwd', new RegExp(`^${linux_user}:.*\\n`, 'm'), ''),
      'shell changed': replace('passwd', new RegExp(`(^${linux_user}:.*:)[^:\\n]+$`, 'm'), '$1/bin/sh'),
      'FTP login removed': replace('passwd', new RegExp(`^${linux_user}_.*\\n`, 'm'), ''),
      'password of an FTP login changed': replace(
        'shadow',
        new RegExp(`^(${linux_user}_web:)[^:]+`, 'm'),
        '$1other',
      ),
      'FTP login removed from its group': replace('group', new RegExp(`,?${linux_user}_web\\b`), ''),
      'password changed': replace('shadow', new RegExp(`^(${linux_user}:)[^:]+`, 'm'), '$1other'),
    };
  }

  /** `pids` are the server's processes by uid. */
  obstacles({ linux_user, uid }: AccountSpec, pids: Map<number, number[]>) {
    const obstacle = (name: keyof AccountTexts, line: string) => ({
      put: () => this.#edit(name, (text) => `${text}${line}\n`),
      describe: () => [this.texts[name].split('\n').filter((each) => each === line), pids.get(uid)],
      clear: () => this.#edit(name, (text) => text.replace(`${line}\n`, '')),
    });
    const sameUid = obstacle('passwd', `someone:x:${uid}:${uid}::/srv:/bin/sh`);
    return {
      'a user of that name': obstacle('passwd', `${linux_user}:x:1500:1500::/srv:/bin/sh`),
      'a group of that name': obstacle('group', `${linux_user}:x:1500:`),
      'a user with that uid': {
        ...sameUid,
        put: () => {
          sameUid.put();
          pids.set(uid, [4_711]);
        },
        clear: () => {
          sameUid.clear();
          pids.delete(uid);
        },
      },
    };
  }

  #edit(name: keyof AccountTexts, edit: (text: string) => string): void {
    this.texts = { ...this.texts, [name]: edit(this.texts[name]) };
  }
}
