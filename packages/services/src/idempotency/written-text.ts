/** What a write gave, as text: JSON, in which a Date stays a Date. */
export function writtenText(written: unknown): string {
  return JSON.stringify(written, markDates);
}

/** The same value again. */
export function readWritten(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => dateOf(value) ?? value);
}

/** `value` has been through Date's own toJSON already; the holder still has the Date. */
function markDates(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const held = this[name];
  return held instanceof Date ? { $date: held.getTime() } : value;
}

function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'object' || value === null || !('$date' in value)) return undefined;
  return typeof value.$date === 'number' ? new Date(value.$date) : undefined;
}
