/**
 * A page whose rows each contain the total. The first row gives the total. For a page past the end, calls `countAll`.
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
