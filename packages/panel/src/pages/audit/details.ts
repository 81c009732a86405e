/** A changed field of an audit log entry. Undefined: the entry does not have the value. */
export interface ChangedField {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

/** The changed fields, and the other details of the entry. */
export function readDetails(details: Readonly<Record<string, unknown>>): {
  changes: ChangedField[];
  others: (readonly [name: string, value: string])[];
} {
  const before = recordOf(details.before);
  const after = recordOf(details.after);
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = fields.map((field) => ({
    field: field.replaceAll('_', ' '),
    before: field in before ? text(before[field]) : undefined,
    after: field in after ? text(after[field]) : undefined,
  }));
  const others = Object.entries(details)
    .filter(([name, value]) => name !== 'before' && name !== 'after' && value !== null)
    .map(([name, value]) => [name.replaceAll('_', ' '), text(value)] as const);
  return { changes, others };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  if (value === null || value === '') return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : value.map(text).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
