/**
 * A 64-bit integer of the wire as a number. One above 2^53 stays text. No schema accepts the text as a number, so it is
 * rejected when the message is parsed, and never rounded.
 */
export function integerFromWire(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
}

/** Encodes a number for a uint64 field. Throws RangeError for a number that the wire would change. */
export function uint64ToWire(value: number, field: string): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${field} is not a uint64: ${value}`);
  return String(value);
}

/** Encodes a number for a uint32 field. Throws RangeError for a number that the wire would truncate. */
export function uint32ToWire(value: number, field: string): number {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff)
    throw new RangeError(`${field} is not a uint32: ${value}`);
  return value;
}
