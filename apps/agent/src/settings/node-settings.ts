import { readFile } from 'node:fs/promises';
import { type NodeSettings, nodeSettingsSchema, SETTINGS_UNDER_WAY } from '@innkeeper/protocol';
import type { Clock } from '../node/clock.ts';
import { storeDurably } from '../node/durable-files.ts';
import { HostError } from '../node/host-error.ts';
import { ifThere } from '../node/if-there.ts';
import type { Log } from '../node/log.ts';

export interface NodeSettingsDeps {
  /**
   * Where they are kept: beside the configuration that has the same secrets, outside the agent's state folder, so that a
   * copy of that folder reveals none.
   */
  readonly file: string;
  /** Makes the server so. Changes nothing if it is. Throws HostError with a sentence for operators. */
  readonly apply: (settings: NodeSettings) => Promise<void>;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
}

const MOST_CHARACTERS = 500;

/**
 * What operators have set for this server itself: kept over a restart, applied when it arrives and at each drift
 * interval, and reported with its generation once the server has it.
 */
export class NodeSettingsKeeper {
  readonly #deps: NodeSettingsDeps;
  #settings: NodeSettings | undefined;
  #problem = '';
  #applied = 0;
  #refused = 0;
  #cancel = () => {};
  #stopped = false;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(deps: NodeSettingsDeps) {
    this.#deps = deps;
  }

  /** Reads the stored settings. A file that cannot be read is asked for again. */
  async open(): Promise<void> {
    const text = await ifThere(readFile(this.#deps.file, 'utf8'));
    if (text === undefined) return;
    try {
      this.#settings = nodeSettingsSchema.parse(JSON.parse(text));
    } catch {
      this.#deps.log.warn(
        { file: this.#deps.file },
        'The settings of this server cannot be read. The agent asks for them again.',
      );
    }
  }

  /** The newest settings, whether they are applied or not. */
  get settings(): NodeSettings | undefined {
    return this.#settings;
  }

  /** The generation that this server has; 0: none. */
  get generation(): number {
    return this.#settings?.generation ?? 0;
  }

  /** For the heartbeat. Empty: the newest settings are applied. */
  get problem(): string {
    if (this.#problem !== '') return this.#problem;
    return this.#applied === this.generation ? '' : SETTINGS_UNDER_WAY;
  }

  /** Whether the server could not be made so; false while it is tried for the first time. */
  get hasFailed(): boolean {
    return this.#problem !== '';
  }

  start(): void {
    this.#soon();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#running;
  }

  /** Takes settings as they came from the wire. */
  async receive(message: unknown): Promise<void> {
    const parsed = nodeSettingsSchema.safeParse(message);
    if (!parsed.success) {
      const generation = (message as { generation?: unknown } | null)?.generation;
      if (generation !== this.#refused)
        this.#deps.log.error(
          { paths: parsed.error.issues.map(({ path }) => path.join('.')) },
          'The settings of this server were refused.',
        );
      this.#refused = Number(generation) || 0;
      this.#problem =
        'The server refused the settings: its agent is of an older release, or they are damaged.';
      return;
    }
    if (parsed.data.generation === this.generation) return;
    await storeDurably(this.#deps.file, `${JSON.stringify(parsed.data)}\n`);
    this.#settings = parsed.data;
    this.#problem = '';
    this.#soon();
  }

  /** One run at a time. A change during a run causes one more. */
  #soon(): void {
    this.#cancel();
    if (this.#stopped) return;
    if (this.#running !== undefined) {
      this.#again = true;
      return;
    }
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#stopped) return;
      if (this.#again) this.#soon();
      else this.#cancel = this.#deps.clock.after(this.#deps.everyMs, () => this.#soon());
    });
  }

  async #run(): Promise<void> {
    this.#again = false;
    const settings = this.#settings;
    if (settings === undefined) return;
    const before = this.#problem;
    try {
      await this.#deps.apply(settings);
      this.#problem = '';
      if (before !== '' || this.#applied !== settings.generation)
        this.#deps.log.info({ generation: settings.generation }, 'The settings of this server are applied.');
      this.#applied = settings.generation;
    } catch (error) {
      this.#problem =
        error instanceof HostError
          ? error.message.slice(0, MOST_CHARACTERS)
          : 'An unexpected error: see the log of the agent.';
      if (this.#problem !== before)
        this.#deps.log.error(
          { err: error },
          'The settings of this server are not applied. The agent retries.',
        );
    }
  }
}
