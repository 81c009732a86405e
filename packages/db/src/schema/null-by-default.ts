import type { ColumnType } from 'kysely';

/** A column that an insert may leave out. */
export type NullByDefault<T> = ColumnType<T | null, T | null | undefined, T | null>;
