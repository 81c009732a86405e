import { type Database, findLogo } from '@innkeeper/db';
import type { Kysely } from 'kysely';

/** The bytes of a logo by its hash. Public: visitors see it before they sign in. Null: no brand has it. */
export async function findBrandLogo(
  db: Kysely<Database>,
  { hash }: { hash: string },
): Promise<{ type: string; bytes: Uint8Array } | null> {
  return (await findLogo(db, hash)) ?? null;
}
