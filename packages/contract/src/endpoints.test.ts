import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

const table = Object.entries<Endpoint>(endpoints);

describe('the endpoint table', () => {
  it('has each method and path once', () => {
    const routes = table.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(table)('%s: a read requires a read ability, a write a write ability', (_name, endpoint) => {
    if (!endpoint.access.includes(':')) return expect(endpoint.method).toBe('GET');
    expect(endpoint.access.endsWith(':read')).toBe(endpoint.method === 'GET');
  });

  it.each(table)(
    '%s: has a schema for its path parameters, and a body only if the method has one',
    (_name, endpoint) => {
      expect(endpoint.params !== undefined).toBe(endpoint.path.includes('{'));
      if (endpoint.method === 'GET') expect(endpoint.body).toBeUndefined();
    },
  );

  it.each(table)('%s: its schemas can be written as JSON Schema', (_name, endpoint) => {
    for (const schema of [endpoint.params, endpoint.query, endpoint.body, endpoint.response]) {
      if (schema === undefined || schema === null) continue;
      expect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).toBeTypeOf('object');
    }
  });
});
