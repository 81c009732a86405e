/**
 * A page whose rows each say how many there are in the whole list: with its first row it is known, and for a
 * page past the end `countAll` is asked.
 */
export async function withTotal<Row extends { total: number }>(
  rows: readonly Row[],
  { offset }: { offset: number },
  countAll: () => Promise<{ total: number }>,
): Promise<{ rows: Omit<Row, 'total'>[]; total: number }> {
  const [first] = rows;
  const total = first?.total ?? (offset === 0 ? 0 : (await countAll()).total);
  return { rows: rows.map(({ total: _, ...row }) => row), total };
}
