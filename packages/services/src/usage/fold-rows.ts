/**
 * Groups the rows of a history by the points of a chart, and makes one point of each group. A point without rows is
 * null: a gap. Rows of a point are ordered by time.
 */
export function foldRows<Row extends { slot: number | null }, Point>(
  rows: readonly Row[],
  { points, pointS }: { points: readonly number[]; pointS: number },
  fold: (rows: readonly Row[]) => Point,
): (Point | null)[] {
  const sorted = [...rows].sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0));
  const groups = Map.groupBy(sorted, ({ slot }) => (slot ?? 0) - ((slot ?? 0) % pointS));
  return points.map((start) => {
    const group = groups.get(start);
    return group === undefined ? null : fold(group);
  });
}

export function sumOf<Row>(rows: readonly Row[], value: (row: Row) => number | null): number {
  return rows.reduce((sum, row) => sum + (value(row) ?? 0), 0);
}

export function highestOf<Row>(rows: readonly Row[], value: (row: Row) => number | null): number {
  return Math.max(...rows.map((row) => value(row) ?? 0));
}

/** The newest known value; null if none is known. */
export function lastOf<Row>(rows: readonly Row[], value: (row: Row) => number | null): number | null {
  return rows.reduce<number | null>((last, row) => value(row) ?? last, null);
}
