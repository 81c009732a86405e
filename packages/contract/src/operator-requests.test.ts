import { DomainError } from '@innkeeper/domain';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import {
  newNode,
  newPackage,
  newStaffUser,
  newToken,
  nodeCapacity,
  poolChange,
} from './operator-requests.ts';
import { parseFields } from './validation-body.ts';

function refusedFields(schema: z.ZodType, input: unknown, refused = {}): unknown {
  try {
    parseFields(schema, input, refused);
  } catch (error) {
    if (error instanceof DomainError) return error.fields;
    throw error;
  }
  return {};
}

const token = { user: 'root', name: 'ci' };
const user = { username: 'ada', email: 'ada@example.com', password: 'correct horse' };

test.each<[z.ZodType, object, string, string]>([
  [
    newToken,
    { ...token, name: 'a\u0000b' },
    'name',
    'The name field must be one line without control characters.',
  ],
  [newToken, { ...token, name: ' ' }, 'name', 'The name field is required.'],
  [
    newToken,
    { ...token, preset: 'all' },
    'preset',
    'must be one of read_only, provisioning, full_access, custom.',
  ],
  [
    newToken,
    { ...token, abilities: ['accounts:read', 'x:y'] },
    'abilities',
    '"x:y" is no ability; there are *, acc',
  ],
  [newToken, { ...token, abilities: 'accounts:read' }, 'abilities', 'must be an array of strings.'],
  [
    newStaffUser,
    { ...user, username: 'a b' },
    'username',
    'must be 3-16 letters a-z, digits, dashes and underscores.',
  ],
  [newStaffUser, { ...user, username: '' }, 'username', 'must be 3-16 letters a-z'],
  [newStaffUser, { ...user, email: 'ada' }, 'email', 'The email field must be a valid email address.'],
  [
    newStaffUser,
    { ...user, password: 'short' },
    'password',
    'The password field must be at least 8 characters.',
  ],
  [
    newStaffUser,
    { ...user, password: 'line\nbreak' },
    'password',
    'The password field must be one line without control characters.',
  ],
  [newNode, { name: '7', address: '192.0.2.1' }, 'name', 'must be 1-63 letters a-z, digits and dashes'],
  [
    newNode,
    { name: 'web1', address: 'localhost' },
    'address',
    'must be an IPv4 or IPv6 address or a host name',
  ],
  [nodeCapacity, { memory_mb: Number.NaN }, 'memory_mb', 'The memory mb field must be an integer.'],
  [nodeCapacity, { disk_mb: 0 }, 'disk_mb', 'The disk mb field must be at least 1.'],
  [nodeCapacity, { disk_mb: 0.5 }, 'disk_mb', 'The disk mb field must be an integer.'],
  [poolChange, { cpu_percent: 2 ** 53 }, 'cpu_percent', 'The cpu percent field must be an integer.'],
  [poolChange, { iops: -1 }, 'iops', 'The iops field must be at least 0.'],
])('%#: %j is refused at its field', (schema, input, field, sentence) => {
  expect(refusedFields(schema, input)).toEqual({ [field]: [expect.stringContaining(sentence)] });
});

test('every wrong field is refused at once, with those that only the caller can find', () => {
  const refused = { owner: ['The owner field is for admins.'] };
  expect(refusedFields(newPackage, { slug: 'Has Spaces', disk_mb: Number.NaN }, refused)).toMatchObject({
    name: ['The name field is required.'],
    slug: ['The slug field must be letters a-z and digits with single dashes between them.'],
    disk_mb: ['The disk mb field must be an integer.'],
    bandwidth_mb: ['The bandwidth mb field is required.'],
    ...refused,
  });
});

test('names and addresses are read in their canonical form', () => {
  expect(parseFields(newNode, { name: ' WEB1 ', address: 'Web1.Example.COM.' })).toEqual({
    name: 'web1',
    address: 'web1.example.com',
  });
  expect(parseFields(newNode, { name: 'web1', address: '2001:DB8:0::1' }).address).toBe('2001:db8::1');
});

test('an omitted limit of a pool stays, and null is not pooled', () => {
  expect(parseFields(poolChange, { iops: null, max_accounts: 3 })).toEqual({ iops: null, max_accounts: 3 });
});
