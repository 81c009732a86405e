import type { ColumnType } from 'kysely';

/** A nullable column that an insert may omit. */
export type NullByDefault<T> = ColumnType<T | null, T | null | undefined, T | null>;
