const MAX_CHARACTERS = 160;

/** The changes in one line: `status: active → suspended, iops: 500`. Null if the entry has no details. */
export function renderChange(details: Readonly<Record<string, unknown>>): string | null {
  const before = fieldsOf(details.before);
  const after = fieldsOf(details.after);
  const replaced = Array.isArray(details.replaced) ? details.replaced.map((what) => `new ${what}`) : [];
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((field) => {
    const values = [before, after].filter((fields) => field in fields).map((fields) => text(fields[field]));
    return `${field}: ${values.join(' → ')}`;
  });
  const line = [...changes, ...replaced].join(', ');
  if (line === '') return typeof details.reason === 'string' ? details.reason : null;
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
