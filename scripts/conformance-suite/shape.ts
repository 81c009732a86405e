import { brief, Mismatch } from './outcome.ts';

/**
 * The shape of a JSON value, in the words of the specification. Additional fields are allowed: a specification that
 * shows some fields does not forbid others.
 */
export type Shape =
  | 'int'
  | 'int or null'
  | 'string'
  | 'string or null'
  | 'bool'
  | 'timestamp'
  | 'object'
  | 'list of strings'
  | 'list of strings or null'
  | 'list of ints'
  | { listOf: Shape }
  | { fields: Record<string, Shape>; optional?: Record<string, Shape> };

/** ISO 8601 with a date, a time and an offset. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/;

const isInt = (value: unknown) => Number.isSafeInteger(value);
const isString = (value: unknown) => typeof value === 'string';
const isListOf = (accepts: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(accepts);
const orNull = (accepts: (value: unknown) => boolean) => (value: unknown) => value === null || accepts(value);

const simple: Record<Extract<Shape, string>, (value: unknown) => boolean> = {
  int: isInt,
  'int or null': orNull(isInt),
  string: isString,
  'string or null': orNull(isString),
  bool: (value) => typeof value === 'boolean',
  timestamp: (value) =>
    typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
  object: isObject,
  'list of strings': isListOf(isString),
  'list of strings or null': orNull(isListOf(isString)),
  'list of ints': isListOf(isInt),
};

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws a Mismatch that names the first place where the value does not match the shape. */
export function expectShape(value: unknown, shape: Shape, place: string): void {
  if (typeof shape === 'string') {
    if (!simple[shape](value)) throw new Mismatch(`${place}: ${shape}`, brief(value));
    return;
  }
  if ('listOf' in shape) {
    if (!Array.isArray(value)) throw new Mismatch(`${place}: a list`, brief(value));
    for (const [index, item] of value.entries()) expectShape(item, shape.listOf, `${place}[${index}]`);
    return;
  }
  if (!isObject(value)) throw new Mismatch(`${place}: an object`, brief(value));
  for (const [name, inner] of Object.entries(shape.fields)) {
    if (!(name in value))
      throw new Mismatch(`${place}.${name}`, `no such field in ${brief(Object.keys(value))}`);
    expectShape(value[name], inner, `${place}.${name}`);
  }
  for (const [name, inner] of Object.entries(shape.optional ?? {}))
    if (value[name] !== undefined) expectShape(value[name], inner, `${place}.${name}`);
}
