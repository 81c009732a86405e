import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { password, username } from './accounts/requests.ts';
import { nestBracketedKeys } from './bracketed-keys.ts';
import { isBlank, nullable, required } from './fields/field.ts';
import { boolean, email, integer, integerList, text } from './fields/kinds.ts';
import { pageQuery } from './pagination.ts';
import { fieldErrors, validationBody } from './validation-body.ts';

/** The rules of the service that the golden answers were recorded from. */
const recorded = (limit: typeof required) => ({
  username: required(username()),
  name: required(text({ max: 100 })),
  email: required(email()),
  password: required(password()),
  package_id: nullable(integer()),
  disk_limit_mb: limit(
    integer({ min: 100 }),
    'The :attribute field is required when package id is not present.',
  ),
  cpu_limit_percent: limit(
    integer({ min: 1, max: 10_000 }),
    'The :attribute field is required when package id is not present.',
  ),
  terminal_access: nullable(boolean()),
  iops: nullable(integer({ min: 100 })),
});

function answer(schema: z.ZodType, input: unknown): unknown {
  const result = schema.safeParse(input);
  return result.success ? { data: result.data } : validationBody(fieldErrors(result.error));
}

const post = (body: string) => {
  const input = JSON.parse(body);
  const limit = isBlank(input.package_id) ? required : nullable;
  return answer(z.object(recorded(limit as typeof required)), input);
};
const get = (shape: z.core.$ZodShape, query: string) =>
  answer(z.object(shape), nestBracketedKeys(new URLSearchParams(query)));

describe('golden answers', () => {
  it('contain every message of every field in order', () => {
    const body =
      '{"username":"  bob ","name":"","email":"x","password":" short","disk_limit_mb":"abc","cpu_limit_percent":"20000","terminal_access":"true","iops":1}';
    expect(JSON.stringify(post(body))).toBe(
      '{"message":"The name field is required. (and 7 more errors)","errors":{"name":["The name field is required."],"email":["The email field must be a valid email address."],"password":["The password field must be at least 8 characters."],"disk_limit_mb":["The disk limit mb field must be an integer.","The disk limit mb field must be at least 100."],"cpu_limit_percent":["The cpu limit percent field must not be greater than 10000."],"terminal_access":["The terminal access field must be true or false."],"iops":["The iops field must be at least 100."]}}',
    );
  });

  it('accept digit strings, 100.0, "1" and empty strings', () => {
    const body =
      '{"username":"bob","name":"B","email":"a@b.c","password":" 1234567","disk_limit_mb":"500","cpu_limit_percent":100.0,"terminal_access":"1","iops":"","package_id":""}';
    expect(post(body)).toEqual({
      data: {
        username: 'bob',
        name: 'B',
        email: 'a@b.c',
        password: ' 1234567',
        package_id: null,
        disk_limit_mb: 500,
        cpu_limit_percent: 100,
        terminal_access: true,
        iops: null,
      },
    });
  });

  it('refuse a username with invalid characters and a fraction', () => {
    const body =
      '{"username":"BOB!","name":"B","email":"a@b.c","password":"12345678","package_id":"1","cpu_limit_percent":1.5,"iops":null}';
    expect(JSON.stringify(post(body))).toBe(
      '{"message":"The username field format is invalid. (and 1 more error)","errors":{"username":["The username field format is invalid."],"cpu_limit_percent":["The cpu limit percent field must be an integer."]}}',
    );
  });

  it('name the required fields and their conditions', () => {
    expect(JSON.stringify(post('{}'))).toBe(
      '{"message":"The username field is required. (and 5 more errors)","errors":{"username":["The username field is required."],"name":["The name field is required."],"email":["The email field is required."],"password":["The password field is required."],"disk_limit_mb":["The disk limit mb field is required when package id is not present."],"cpu_limit_percent":["The cpu limit percent field is required when package id is not present."]}}',
    );
  });

  const bulk = { hosting_account_id: required(integerList({ max: 100 })) };
  it.each([
    [
      'hosting_account_id[]=1&hosting_account_id[]=x',
      '{"message":"The hosting_account_id.1 field must be an integer.","errors":{"hosting_account_id.1":["The hosting_account_id.1 field must be an integer."]}}',
    ],
    [
      'hosting_account_id=5',
      '{"message":"The hosting account id field must be an array.","errors":{"hosting_account_id":["The hosting account id field must be an array."]}}',
    ],
    [
      '',
      '{"message":"The hosting account id field is required.","errors":{"hosting_account_id":["The hosting account id field is required."]}}',
    ],
  ])('of a list of ids: %s', (query, expected) => {
    expect(JSON.stringify(get(bulk, query))).toBe(expected);
  });

  it('refuse a page size over 100', () => {
    expect(JSON.stringify(get(pageQuery, 'per_page=101'))).toBe(
      '{"message":"The per page field must not be greater than 100.","errors":{"per_page":["The per page field must not be greater than 100."]}}',
    );
  });

  it.each(['', 'per_page=', 'page=abc', 'page=0', 'page[]=2', 'page=1e3', 'page=-1', 'page=1.5'])(
    'start at page 1 of 25 for %j',
    (query) => {
      expect(get(pageQuery, query)).toEqual({ data: { page: 1, per_page: 25 } });
    },
  );
});
