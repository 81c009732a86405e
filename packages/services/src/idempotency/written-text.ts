/** The result of a write as JSON text. A Date stays a Date. */
export function writtenText(written: unknown): string {
  return JSON.stringify(written, markDates);
}

/** Parses the text back into the same value. */
export function readWritten(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => dateOf(value) ?? value);
}

/** `value` has already been converted by Date's own toJSON; the containing object still has the Date. */
function markDates(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const held = this[name];
  return held instanceof Date ? { $date: held.getTime() } : value;
}

function dateOf(value: unknown): Date | undefined {
  if (typeof value !== 'object' || value === null || !('$date' in value)) return undefined;
  return typeof value.$date === 'number' ? new Date(value.$date) : undefined;
}
