import type { AccountSpec } from '@innkeeper/protocol';
import type { Changes } from '../../node/changes.ts';
import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';
import type { HeldCertificate, WantedCertificate } from './host.ts';

type Held = { -readonly [K in keyof HeldCertificate]: HeldCertificate[K] };

interface FakeDomain {
  readonly uid: number;
  readonly domainId: number;
  readonly name: string;
  held: Held[];
  order: WantedCertificate | undefined;
}

const DAY_MS = 24 * 3_600_000;

/** Certificates of a fake hosting server, and an authority that issues them when a test requests it. */
export class FakeCertificates {
  readonly #domains = new Map<string, FakeDomain>();
  #issued = 0;

  host(changes: Changes): Pick<Host, 'certificates'> {
    const edit = (uid: number, domainId: number, change: (domain: FakeDomain) => void) => {
      const domain = this.#domains.get(`${uid}-${domainId}`);
      if (domain === undefined) return;
      change(domain);
      changes.record();
    };
    const certificates: Host['certificates'] = {
      current: ({ uid }, name) => {
        const domain = this.#of(uid).find((candidate) => candidate.name === name);
        const certificate = domain?.held.findLast(({ stage }) => stage !== 'issued')?.key ?? null;
        return { certificate, aliasCertificate: certificate };
      },
      observe: async ({ uid }) =>
        this.#of(uid).map(({ domainId, name, held, order }) => ({
          domainId,
          name,
          held: held.map((one) => ({ ...one })),
          ordering: order !== undefined,
          failure: undefined,
          orderableAt: () => 0,
        })),
      order: async ({ uid }, wanted) => {
        const { domainId, name } = wanted;
        const known = this.#domains.get(`${uid}-${domainId}`) ?? {
          uid,
          domainId,
          name,
          held: [],
          order: undefined,
        };
        this.#domains.set(`${uid}-${domainId}`, known);
        known.order = wanted;
        changes.record();
      },
      stopOrder: async ({ uid }, domainId) =>
        edit(uid, domainId, (it) => {
          it.order = undefined;
        }),
      place: async ({ uid }, domainId, key) =>
        edit(uid, domainId, ({ held }) => {
          const one = held.find((candidate) => candidate.key === key)!;
          one.filesRight = true;
          if (one.stage === 'issued') one.stage = 'placed';
        }),
      retirePrevious: async ({ uid }, domainId) =>
        edit(uid, domainId, (it) => {
          it.held = it.held.slice(-1);
          it.held[0]!.stage = 'served';
        }),
      discard: async ({ uid }, domainId, key) =>
        edit(uid, domainId, (it) => {
          it.held = it.held.filter((one) => one.key !== key);
        }),
      forget: async ({ uid }, domainId) => {
        if (this.#domains.delete(`${uid}-${domainId}`)) changes.record();
      },
      idle: async () => {},
      stop: async () => {},
    };
    return { certificates };
  }

  /** Lets every pending order succeed. Returns whether there was one. */
  issue(): boolean {
    const ordered = [...this.#domains.values()].filter(({ order }) => order !== undefined);
    for (const domain of ordered) {
      this.#issued += 1;
      domain.held.push({
        key: `${domain.uid}-${domain.domainId}-${this.#issued}`,
        revision: domain.order!.revision,
        issuer: 'Fake',
        expiresAt: Date.now() + 90 * DAY_MS,
        renewAt: Date.now() + 60 * DAY_MS,
        stage: 'issued',
        filesRight: true,
        lost: false,
      });
      domain.order = undefined;
    }
    return ordered.length > 0;
  }

  traces({ uid }: Owner): string[] {
    return this.#of(uid).length > 0 ? ['certificate'] : [];
  }

  tamperings({ uid }: AccountSpec) {
    const lose = (isForGood: boolean) => () => {
      for (const one of this.#of(uid).flatMap(({ held }) => held)) {
        one.filesRight = false;
        one.lost ||= isForGood;
      }
    };
    return {
      'certificate removed': lose(false),
      'certificate key opened to all': lose(false),
      'certificate key exchanged': lose(false),
      'certificate lost for good': lose(true),
    };
  }

  #of(uid: number): FakeDomain[] {
    return [...this.#domains.values()].filter((domain) => domain.uid === uid);
  }
}
