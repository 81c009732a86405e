import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { coalesce } from '../../node/coalesce.ts';
import type { Exec } from '../../node/exec.ts';
import { listIfThere } from '../../node/if-there.ts';

/** Postfix's own queue for accounts: an instance beside the one that an operator may have. */
export const POSTFIX_CONFIG = '/etc/innkeeper/postfix';
export const POSTFIX_QUEUE = '/var/spool/innkeeper-postfix';
const POSTQUEUE = '/usr/sbin/postqueue';
const POSTSUPER = '/usr/sbin/postsuper';

const FOLDERS = ['incoming', 'active', 'deferred', 'hold'];
/** Postfix spreads files over folders with one character. */
const HASHED = /^[0-9A-F]$/;
const QUEUE_ID = /^[0-9A-Za-z]{6,40}$/;
/** `20017+info=example.com@innkeeper.invalid`, as submit-mail writes it. */
const SENDER = /^(\d{1,10})\+[^\s]*=[^\s@=]+@innkeeper\.invalid$/;
const LONGEST_MS = 120_000;
const MOST_BYTES = 256 * 1024 * 1024;

/** One message in the queue. */
export interface QueuedMail {
  readonly id: string;
  /** Of the account; 0: of a test mail. Undefined: it cannot be attributed. */
  readonly uid: number | undefined;
  readonly isHeld: boolean;
  readonly bytes: number;
  /** Seconds since 1970. */
  readonly arrivedAt: number;
  /** Why it was not delivered yet. Empty: it was not tried. Written by the relay. */
  readonly reason: string;
}

export interface MailQueueDeps {
  readonly exec: Pick<Exec, 'run' | 'change'>;
  readonly folder?: string;
}

/**
 * The queue, read and changed with Postfix's own programs. While it is empty, which the folders tell, no program runs.
 */
export class MailQueue {
  readonly #deps: MailQueueDeps;
  readonly #folder: string;
  /** Many accounts are observed at once: they share a listing, which begins after each of them has asked. */
  readonly #listTogether = coalesce<void, readonly QueuedMail[]>(async (requests) => {
    const mails = await this.#read();
    for (const { resolve } of requests) resolve(mails);
  });

  constructor(deps: MailQueueDeps) {
    this.#deps = deps;
    this.#folder = deps.folder ?? POSTFIX_QUEUE;
  }

  /** Throws HostError when Postfix cannot read its queue. */
  async list(): Promise<readonly QueuedMail[]> {
    return await this.#listTogether(undefined);
  }

  async of(uid: number): Promise<readonly QueuedMail[]> {
    return (await this.list()).filter((mail) => mail.uid === uid);
  }

  /** `-h` holds, `-H` releases and `-d` deletes the messages of an account. */
  async change(option: '-h' | '-H' | '-d', uid: number): Promise<void> {
    const mails = (await this.of(uid)).filter(
      ({ isHeld }) => option === '-d' || isHeld === (option === '-H'),
    );
    if (mails.length === 0) return;
    await this.#deps.exec.change(POSTSUPER, ['-c', POSTFIX_CONFIG, option, '-'], {
      input: mails.map(({ id }) => `${id}\n`).join(''),
      timeoutMs: LONGEST_MS,
    });
    // Released messages are due at once.
    if (option === '-H') await this.flush();
  }

  /** Tries every message again now. */
  async flush(): Promise<void> {
    await this.#deps.exec.run(POSTQUEUE, ['-c', POSTFIX_CONFIG, '-f'], { accept: [0, 69] });
  }

  async #read(): Promise<readonly QueuedMail[]> {
    if (!(await this.#hasMessages()) || !existsSync(POSTQUEUE)) return [];
    const { stdout } = await this.#deps.exec.run(POSTQUEUE, ['-c', POSTFIX_CONFIG, '-j'], {
      timeoutMs: LONGEST_MS,
      maxOutputBytes: MOST_BYTES,
    });
    return readQueue(stdout);
  }

  async #hasMessages(): Promise<boolean> {
    for (const name of FOLDERS) {
      const folder = join(this.#folder, name);
      for (const entry of await listIfThere(folder)) {
        if (!HASHED.test(entry)) return true;
        if ((await listIfThere(join(folder, entry))).length > 0) return true;
      }
    }
    return false;
  }
}

interface ListedMail {
  queue_name?: unknown;
  queue_id?: unknown;
  arrival_time?: unknown;
  message_size?: unknown;
  sender?: unknown;
  recipients?: unknown;
}

/** Reads what `postqueue -j` prints: a JSON object in each line. A line that is none is ignored. */
export function readQueue(text: string): QueuedMail[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      return mailOf(JSON.parse(line) as ListedMail);
    } catch {
      return [];
    }
  });
}

function mailOf(listed: ListedMail): QueuedMail[] {
  if (typeof listed.queue_id !== 'string' || !QUEUE_ID.test(listed.queue_id)) return [];
  const recipients = Array.isArray(listed.recipients) ? (listed.recipients as Record<string, unknown>[]) : [];
  const uids = [listed.sender, ...recipients.map(({ address }) => address)].flatMap((address) => {
    const uid = typeof address === 'string' ? SENDER.exec(address)?.[1] : undefined;
    return uid === undefined ? [] : [Number(uid)];
  });
  const reasons = recipients.flatMap(({ delay_reason }) =>
    typeof delay_reason === 'string' ? [delay_reason] : [],
  );
  return [
    {
      id: listed.queue_id,
      // A bounce has no sender: its recipient is the sender of the mail that it is about.
      uid: uids[0],
      isHeld: listed.queue_name === 'hold',
      bytes: Number(listed.message_size) || 0,
      arrivedAt: Number(listed.arrival_time) || 0,
      reason: (reasons[0] ?? '').replace(/[^\P{Cc}\t]/gu, '?').slice(0, 500),
    },
  ];
}
