import { isDeepStrictEqual } from 'node:util';
import { brief, fail, Mismatch } from './outcome.ts';
import { expectShape, isObject, type Shape } from './shape.ts';

/** One response, with the checks that clauses use. Every `expect...` throws a Mismatch. */
export class Answer {
  /** `POST /accounts`, for messages. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly body: unknown;

  constructor(request: string, status: number, headers: Headers, text: string) {
    this.request = request;
    this.status = status;
    this.headers = headers;
    this.text = text;
    this.body = parsed(text);
  }

  /** Returns the value at a path such as `data.package.id` or `data.0.id`. */
  at(path: string): unknown {
    let value = this.body;
    for (const name of path.split('.'))
      value = isObject(value) || Array.isArray(value) ? (value as Record<string, unknown>)[name] : undefined;
    return value;
  }

  expect(...statuses: number[]): this {
    if (!statuses.includes(this.status))
      throw new Mismatch(`${this.request}: ${statuses.join(' or ')}`, `${this.status} ${this.excerpt()}`);
    return this;
  }

  expectAt(path: string, wanted: unknown): this {
    const value = this.at(path);
    if (!isDeepStrictEqual(value, wanted))
      throw new Mismatch(`${this.request}: ${path} is ${brief(wanted)}`, brief(value));
    return this;
  }

  expectOneOf(path: string, wanted: readonly unknown[]): this {
    const value = this.at(path);
    if (!wanted.includes(value))
      throw new Mismatch(`${this.request}: ${path} is one of ${wanted.join(', ')}`, brief(value));
    return this;
  }

  expectShape(path: string, shape: Shape): this {
    expectShape(path === '' ? this.body : this.at(path), shape, path === '' ? 'body' : path);
    return this;
  }

  /** Returns the number at a path. */
  id(path = 'data.id'): number {
    const value = this.at(path);
    return typeof value === 'number' && Number.isSafeInteger(value)
      ? value
      : fail(`${this.request}: ${path} is an int`, value);
  }

  string(path: string): string {
    const value = this.at(path);
    return typeof value === 'string' ? value : fail(`${this.request}: ${path} is a string`, value);
  }

  /** Returns the objects of a list. */
  items(path = 'data'): Record<string, unknown>[] {
    const value = this.at(path);
    return Array.isArray(value) && value.every(isObject)
      ? value
      : fail(`${this.request}: ${path} is a list of objects`, value);
  }

  excerpt(): string {
    return this.text === '' ? '(no body)' : brief(this.body ?? this.text, 200);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
