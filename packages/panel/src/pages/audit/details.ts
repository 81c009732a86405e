/** A changed field of an audit log entry. Undefined: the entry does not have the value. */
export interface ChangedField {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

/** The changed fields, and the other details of the entry. */
export function readDetails(
  details: Readonly<Record<string, unknown>>,
  words: Words,
): {
  changes: ChangedField[];
  others: (readonly [name: string, value: string])[];
} {
  const before = recordOf(details.before);
  const after = recordOf(details.after);
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = fields.map((field) => ({
    field: field.replaceAll('_', ' '),
    before: field in before ? text(before[field], words) : undefined,
    after: field in after ? text(after[field], words) : undefined,
  }));
  const others = Object.entries(details)
    .filter(([name, value]) => name !== 'before' && name !== 'after' && value !== null)
    .map(([name, value]) => [name.replaceAll('_', ' '), text(value, words)] as const);
  return { changes, others };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

interface Words {
  nothing: string;
  yes: string;
  no: string;
}

function text(value: unknown, words: Words): string {
  if (value === null || value === '') return words.nothing;
  if (Array.isArray(value))
    return value.length === 0 ? words.nothing : value.map((one) => text(one, words)).join(', ');
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
