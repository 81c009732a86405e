/** An id that no record has. */
export const NOBODYS_ID = 4_000_000_007;
