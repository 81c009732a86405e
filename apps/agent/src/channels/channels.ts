import { finished, pipeline } from 'node:stream';
import type {
  AccountSpec,
  Answer,
  ChannelKind,
  ChannelProgram,
  ChannelRefusal,
  Question,
} from '@innkeeper/protocol';
import type { Channel } from '@innkeeper/protocol/wire';
import type { Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../node/clock.ts';
import type { Log } from '../node/log.ts';
import { type ChannelEnd, isAllowed } from './channel-ends.ts';

const CHANNELS_PER_ACCOUNT = 40;
const CHANNELS = 2_000;
/** A channel ends when nothing came through for so long. */
const IDLE_MS = 60 * 60_000;
const LOOK_MS = 60_000;

export interface ChannelsDeps {
  ledger: Pick<Ledger, 'find'>;
  /** Whether the account's user on this server is the account's own. */
  isOwn: (spec: AccountSpec) => Promise<boolean>;
  /** Starts the program, or returns why it does not. */
  openEnd: (spec: AccountSpec, program: ChannelProgram) => Promise<ChannelEnd | ChannelRefusal>;
  /** Calls the instance that asked. */
  call: (question: Question<'open-channel'>) => Channel;
  gauge: { inc(labels: { kind: ChannelKind }): void; dec(labels: { kind: ChannelKind }): void };
  clock: Clock;
  log: Log;
}

interface Open {
  accountId: number;
  kind: ChannelKind;
  channel: Channel;
  /** `channel.frames` at the last look, and when it was another number. */
  frames: number;
  activeAt: number;
}

/**
 * The live channels of this server. The control plane asks for one, this agent calls the instance that asked, and a
 * program of the account talks over it. A channel ends when its program ends, when the control plane is gone, when
 * nothing came for an hour, and when the account may have it no longer.
 */
export class Channels {
  readonly #deps: ChannelsDeps;
  readonly #open = new Set<Open>();
  /** Channels that are being opened, by account. */
  readonly #opening = new Map<number, number>();
  #cancelLook = () => {};

  constructor(deps: ChannelsDeps) {
    this.#deps = deps;
    this.#lookLater();
  }

  /** Answers at once. The channel is opened afterwards. */
  async answer(question: Question<'open-channel'>): Promise<Answer<'open-channel'>> {
    const { account_id, program } = question;
    const spec = this.#deps.ledger.find(account_id)?.spec;
    if (spec === undefined || spec.desired_state !== 'active') return { refused: 'inactive' };
    if (!isAllowed(spec, program.kind)) return { refused: 'not_allowed' };
    if (!(await this.#deps.isOwn(spec))) return { refused: 'inactive' };
    if (this.#open.size >= CHANNELS || this.#countOf(account_id) >= CHANNELS_PER_ACCOUNT)
      return { refused: 'too_many' };
    this.#opening.set(account_id, (this.#opening.get(account_id) ?? 0) + 1);
    try {
      const end = await this.#deps.openEnd(spec, program);
      if (typeof end === 'string') return { refused: end };
      this.#connect(question, end);
      return { refused: null };
    } finally {
      const left = (this.#opening.get(account_id) ?? 1) - 1;
      if (left > 0) this.#opening.set(account_id, left);
      else this.#opening.delete(account_id);
    }
  }

  /** Ends the channels that accounts may have no longer. Call it after a new spec. */
  check(): void {
    for (const { accountId, kind, channel } of this.#open) {
      const spec = this.#deps.ledger.find(accountId)?.spec;
      if (spec === undefined || !isAllowed(spec, kind)) channel.destroy();
    }
  }

  stop(): void {
    this.#cancelLook();
    for (const { channel } of this.#open) channel.destroy();
  }

  #connect(question: Question<'open-channel'>, end: ChannelEnd): void {
    const { gauge, clock, log, call } = this.#deps;
    const { account_id, program } = question;
    const { kind } = program;
    const channel = call(question);
    const open: Open = { accountId: account_id, kind, channel, frames: 0, activeAt: clock.now() };
    this.#open.add(open);
    gauge.inc({ kind });
    const startedAt = clock.now();
    channel.on('resize', (size) => end.resize?.(size));
    pipeline(channel, end.input, () => {});
    pipeline(end.output, channel, (error) => {
      if (error === undefined || error === null || channel.destroyed) return;
      log.warn({ err: error, account_id, kind }, 'A program of a channel failed.');
    });
    finished(channel, { readable: true, writable: true }, () => {
      this.#open.delete(open);
      gauge.dec({ kind });
      log.info({ account_id, kind, ms: clock.now() - startedAt }, 'A channel has ended.');
      end.release().catch((error: unknown) => {
        log.warn({ err: error, account_id, kind }, 'The program of a channel could not be ended.');
      });
    });
  }

  #countOf(accountId: number): number {
    const open = [...this.#open].filter((channel) => channel.accountId === accountId).length;
    return open + (this.#opening.get(accountId) ?? 0);
  }

  #lookLater(): void {
    this.#cancelLook = this.#deps.clock.after(LOOK_MS, () => {
      this.#endIdle();
      this.#lookLater();
    });
  }

  #endIdle(): void {
    const now = this.#deps.clock.now();
    for (const open of this.#open) {
      const { frames } = open.channel;
      if (frames !== open.frames) Object.assign(open, { frames, activeAt: now });
      else if (now - open.activeAt > IDLE_MS) open.channel.destroy();
    }
  }
}
