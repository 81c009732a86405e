import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { MailRelay } from '@innkeeper/protocol';
import { OWNERSHIP_HEADER, replaceFile, unlinkIfThere } from '../../node/durable-files.ts';
import type { Exec } from '../../node/exec.ts';
import type { Systemd } from '../../node/host.ts';
import { HostError } from '../../node/host-error.ts';
import { ifThere } from '../../node/if-there.ts';
import { MAIL_FILE_MODE, mailGroup } from './account-mail.ts';
import type { MailSystem } from './host.ts';
import { type MailQueue, POSTFIX_CONFIG } from './mail-queue.ts';
import { postfixFiles, senderDomain } from './postfix-config.ts';

export const POSTFIX_UNIT = 'innkeeper-postfix.service';
export const SUBMISSION_UNIT = 'innkeeper-mail.socket';
/** Whether there is a relay, for submit-mail. */
const SERVER_FILE = '/etc/innkeeper/mail/server';
const MASTER = '/usr/lib/postfix/sbin/master';
const SECRET_MODE = 0o600;
const START_MS = 60_000;

export interface PostfixDeps {
  readonly exec: Pick<Exec, 'run'>;
  readonly systemd: Pick<Systemd, 'state' | 'stop'>;
  readonly queue: Pick<MailQueue, 'flush'>;
}

/**
 * The Postfix instance of accounts. Its unit starts only while main.cf exists, which is written last and removed first.
 * Without a relay nothing of it runs; its queue stays.
 */
export class Postfix implements MailSystem {
  readonly #deps: PostfixDeps;

  constructor(deps: PostfixDeps) {
    this.#deps = deps;
  }

  async apply(relay: MailRelay | null): Promise<void> {
    if (relay === null) await this.#stop();
    else await this.#run(relay);
  }

  async #run(relay: MailRelay): Promise<void> {
    if (!existsSync(MASTER))
      throw new HostError(
        'Failed',
        'Postfix is not installed on this server, mostly because another mail server is. Remove that one and run the installer of the agent again.',
        { retryable: false },
      );
    // main.cf is last: the unit does not start without it.
    const files = postfixFiles(relay, hostname()).reverse();
    let hasChanged = false;
    for (const { name, text, isSecret } of files)
      hasChanged =
        (await ensureFile(`${POSTFIX_CONFIG}/${name}`, text, isSecret ? SECRET_MODE : 0o644, 0)) ||
        hasChanged;
    const { active } = await this.#deps.systemd.state(POSTFIX_UNIT);
    if (hasChanged || active !== 'active') {
      await this.#deps.exec.run('/usr/bin/systemctl', ['reload-or-restart', '--', POSTFIX_UNIT], {
        timeoutMs: START_MS,
      });
      // What waited for another relay is due at once.
      await this.#deps.queue.flush();
    }
    await ensureServerFile(`relay yes\nsender_domain ${senderDomain(relay, hostname())}\n`);
  }

  async #stop(): Promise<void> {
    await ensureServerFile('relay no\n');
    const wasThere = await unlinkIfThere(`${POSTFIX_CONFIG}/main.cf`);
    await unlinkIfThere(`${POSTFIX_CONFIG}/relay-password`);
    const { active } = await this.#deps.systemd.state(POSTFIX_UNIT);
    if (wasThere || active !== 'inactive') await this.#deps.systemd.stop([POSTFIX_UNIT]);
  }
}

async function ensureServerFile(text: string): Promise<void> {
  const header = `# ${OWNERSHIP_HEADER}: written by the agent, changes are undone.\n`;
  await ensureFile(SERVER_FILE, `${header}${text}`, MAIL_FILE_MODE, await mailGroup());
}

/** Returns whether the file had to be written. Texts may have a password in UTF-8. */
async function ensureFile(path: string, text: string, mode: number, gid: number): Promise<boolean> {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const stats = await ifThere(lstat(path));
  const isRight =
    stats?.isFile() === true && stats.uid === 0 && stats.gid === gid && (stats.mode & 0o7777) === mode;
  if (isRight && (await readFile(path, 'latin1')) === bytes) return false;
  await replaceFile(path, bytes, { mode, gid });
  return true;
}
