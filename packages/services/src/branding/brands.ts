import { type BrandRow, type Database, findBrands, INSTALLATION_SCOPE } from '@innkeeper/db';
import type { Kysely } from 'kysely';

/** How the panel and its mails look. */
export interface Brand {
  name: string;
  /** `#rrggbb`. Null: the color of the product. */
  color: string | null;
  support_url: string | null;
  /** The name of its file. Null: the mark of the product. */
  logo_hash: string | null;
  /** The host name under which the panel has this brand. Null: that of the installation. */
  host: string | null;
}

/** Where nobody has set another brand. */
export const productBrand: Brand = {
  name: 'Innkeeper',
  color: null,
  support_url: null,
  logo_hash: null,
  host: null,
};

/**
 * Finds the brand of a page. `reseller_id`: the reseller that the signed-in user is, or that manages its account; null
 * for other users. `host`: the host name of the request, for visitors who are not signed in. A reseller without a brand
 * has that of the installation.
 */
export interface Brands {
  /** Never rejects: without the database it answers with what it knows. */
  find(of: { reseller_id: number | null } | { host: string }): Promise<Brand>;
  /** Reads the brands again at the next call. */
  forget(): void;
}

/** Other instances show a changed brand after at most this time. */
const REMEMBERED_MS = 5_000;

/**
 * Remembers all brands for 5 s, so that pages cost no further statement: their number is that of the resellers, and the
 * bytes of logos are not among them.
 */
export function createBrands(db: Kysely<Database>, now: () => Date): Brands {
  let known: readonly BrandRow[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading = Promise.resolve();
  let [started, stored] = [0, 0];

  /** An earlier read that ends later does not replace what a newer one found. */
  const read = async () => {
    started += 1;
    const own = started;
    readAt = now().getTime();
    const rows = await findBrands(db).catch(() => undefined);
    if (rows === undefined || own < stored) return;
    [known, stored] = [rows, own];
  };
  return {
    find: async (of) => {
      if (now().getTime() - readAt > REMEMBERED_MS) reading = read();
      await reading;
      const own = known.find((row) =>
        'host' in of ? row.host === of.host.toLowerCase() : row.scope_id === of.reseller_id,
      );
      return brandOf(own ?? known.find(({ scope_id }) => scope_id === INSTALLATION_SCOPE));
    },
    forget: () => {
      readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function brandOf(row: BrandRow | undefined): Brand {
  if (row === undefined) return productBrand;
  const { name, color, support_url, logo_hash, host } = row;
  return { name, color, support_url, logo_hash, host };
}
