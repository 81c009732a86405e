import type { Owner } from '../../node/owner.ts';
import type { Host } from '../host.ts';

/** Bandwidth of a fake hosting server. */
export class FakeTraffic {
  /** Bytes sent by sites, by uid. */
  readonly bytes = new Map<number, number>();

  host(): Pick<Host, 'traffic'> {
    const usedBytes = ({ uid }: Owner) => this.bytes.get(uid) ?? 0;
    return {
      traffic: {
        month: '2026-11',
        statistics: { countedBytes: 0, refusedLines: 0, lostFiles: 0 },
        usedBytes,
        isExceeded: (owner, limitMb) => usedBytes(owner) > limitMb * 1_048_576,
        read: async () => {},
        takeAnswered: () => new Map(),
        knows: ({ uid }) => this.bytes.has(uid),
        forget: async ({ uid }) => void this.bytes.delete(uid),
      },
    };
  }

  traces({ uid }: Owner): string[] {
    return this.bytes.has(uid) ? ['bandwidth total'] : [];
  }
}
