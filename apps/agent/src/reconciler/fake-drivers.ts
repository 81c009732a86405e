import type { AccountSpec } from '@innkeeper/protocol';
import type { Change, ChildStatuses, Driver } from '../capabilities/driver.ts';
import type { Host } from '../capabilities/host.ts';
import { Changes } from '../node/changes.ts';
import type { Owner } from '../node/owner.ts';

interface SetPart extends Change {
  readonly kind: 'set-part';
  readonly value: string | undefined;
}

type Step = `${string} ${'observe' | 'apply'} ${number}`;

/**
 * A node whose parts are strings in memory, and drivers that set each part to the string that the spec wants. Tests
 * read which steps ran in which order, make steps fail, and pause them.
 */
export class FakeNode {
  readonly changes = new Changes();
  readonly host = {
    changes: this.changes,
    accounts: {
      find: async () => ({ passwd: [], groups: [], memberOf: [], elsewhere: false }),
      findStranger: async () => undefined,
    },
    processes: { strike: async ({ uid }: Owner) => void this.struck.push(uid) },
    cgroups: { ioLimits: false },
    quota: { isEnforced: async () => false },
    web: { reloads: 0 },
    nodejsVersions: { offered: ['20'] as readonly string[] },
  } as unknown as Host;
  /** "account driver" to the string of the part. */
  readonly parts = new Map<string, string>();
  /** "driver observe|apply account", in the order of their starts. */
  readonly steps: Step[] = [];
  /** The uids whose processes were killed outside of a pass. */
  readonly struck: number[] = [];
  /** Called when a step starts. If it throws or waits, the step throws or waits. */
  onStep: (step: Step) => void | Promise<void> = () => {};
  /** Called with every spec that reaches a driver. */
  onSpec: (spec: AccountSpec) => void = () => {};
  /** Background work of the web driver, and the statuses that it reports. */
  work: { statuses: ChildStatuses; observeAgainMs: number | undefined } | undefined;
  /** Maximum number of concurrent passes over one account. */
  mostTogether = 0;
  /** Drivers that write the changes of many accounts at once. */
  readonly shared = new Set<string>();
  /** Drivers that work below homes. */
  readonly inHome = new Set<string>();
  readonly #drivers: readonly Driver<unknown>[];
  readonly #open = new Map<number, number>();

  constructor(names: readonly string[] = ['user', 'slice', 'web']) {
    this.#drivers = names.map((name) => this.#driver(name) as Driver<unknown>);
  }

  readonly driversFor = (desiredState: AccountSpec['desired_state']): readonly Driver<unknown>[] =>
    desiredState === 'active' ? this.#drivers : this.#drivers.toReversed();

  /** The drivers that changed something and the account, in order. */
  get applied(): string[] {
    return this.steps.filter((step) => step.includes(' apply ')).map((step) => step.replace(' apply', ''));
  }

  #driver(name: string): Driver<string | undefined, SetPart> {
    const { inHome, shared } = this;
    return {
      get worksInHome() {
        return inHome.has(name);
      },
      get isShared() {
        return shared.has(name);
      },
      name,
      ...(name === 'slice' ? { buildsOn: ['user'] } : {}),
      observe: async (spec) => {
        const { account_id } = spec;
        this.onSpec(spec);
        await this.#step(`${name} observe ${account_id}`, account_id);
        return this.parts.get(`${account_id} ${name}`);
      },
      plan: (spec, observed) => {
        const value = wordFor(spec);
        return observed === value ? [] : [{ kind: 'set-part', summary: `${name} to ${value}`, value }];
      },
      statuses: () => (name === 'web' && this.work?.statuses) || {},
      observeAgainMs: () => (name === 'web' ? this.work?.observeAgainMs : undefined),
      apply: async ({ value }, { account_id }) => {
        await this.#step(`${name} apply ${account_id}`, account_id);
        if (value === undefined) this.parts.delete(`${account_id} ${name}`);
        else this.parts.set(`${account_id} ${name}`, value);
        this.changes.record();
      },
    };
  }

  async #step(step: Step, accountId: number): Promise<void> {
    this.steps.push(step);
    const open = (this.#open.get(accountId) ?? 0) + 1;
    this.#open.set(accountId, open);
    this.mostTogether = Math.max(this.mostTogether, open);
    try {
      await this.onStep(step);
    } finally {
      this.#open.set(accountId, open - 1);
    }
  }
}

/** The string of each part of the account when the spec is true. */
function wordFor({ desired_state, limits }: AccountSpec): string | undefined {
  return desired_state === 'absent' ? undefined : `${desired_state} ${limits.ram_mb}`;
}
