import { join } from 'node:path';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { endpoints } from '../endpoints.ts';
import { openApiDocument } from './document.ts';
import { examples } from './examples.ts';
import { fieldDescriptions } from './field-descriptions.ts';
import { inputSchema } from './json-schema.ts';

const document = openApiDocument({ version: '1.2.3' });
const table = Object.entries<Endpoint>(endpoints);

function operationOf({ path, method }: Endpoint) {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document.`);
  return operation;
}

describe('the OpenAPI document', () => {
  it('passes the linter', async () => {
    const configPath = join(import.meta.dirname, '../../../../redocly.yaml');
    const findings = await lintFromString({
      source: JSON.stringify(document, null, 1),
      absoluteRef: 'openapi.json',
      config: await loadConfig({ configPath }),
    });
    expect(findings.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it('has exactly the operations of the table', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
    );
    expect(operations.sort()).toEqual(table.map(([name, { method, path }]) => [name, method, path]).sort());
    expect(document.info.version).toBe('1.2.3');
  });

  it.each(table)('%s: documents its ability, and requires a token unless it is public', (_name, endpoint) => {
    const { security = document.security, ...operation } = operationOf(endpoint);
    const isOpen = ['public', 'signed'].includes(endpoint.access);
    expect(security).toEqual(isOpen ? [] : [{ bearerAuth: [] }]);
    expect(operation['x-ability']).toBe(endpoint.access.includes(':') ? endpoint.access : undefined);
  });

  it.each(table)('%s: has every status that it can answer', (_name, endpoint) => {
    const statuses = [endpoint.status, ...endpoint.errors].map(String);
    expect(Object.keys(operationOf(endpoint).responses).sort()).toEqual([...new Set(statuses)].sort());
  });

  it('writes arrays in queries with brackets', () => {
    expect(operationOf(endpoints.getBulkUsage).parameters).toMatchObject([
      { name: 'hosting_account_id[]', in: 'query', required: true, style: 'form', explode: true },
    ]);
  });

  it('accepts bodies as JSON and as forms, and an Idempotency-Key for every write', () => {
    for (const [name, endpoint] of table) {
      const { requestBody, parameters = [] } = operationOf(endpoint);
      const types = Object.keys(requestBody?.content ?? {});
      if (endpoint.upload !== undefined) expect(types, name).toEqual(['multipart/form-data']);
      else if (endpoint.body === undefined) expect(types, name).toEqual([]);
      else expect(types, name).toEqual(['application/json', 'application/x-www-form-urlencoded']);
      const key = { $ref: '#/components/parameters/IdempotencyKey' };
      if (endpoint.method === 'GET') expect(parameters, name).not.toContainEqual(key);
      else expect(parameters, name).toContainEqual(key);
    }
  });

  it('allows new fields in answers', () => {
    const { Account = {}, Message = {} } = document.components.schemas;
    expect([Account.additionalProperties, Message.additionalProperties]).toEqual([undefined, undefined]);
    expect(Account.required).not.toContain('usage');
  });
});

describe('descriptions of fields', () => {
  it.each(Object.keys(fieldDescriptions))('have only existing fields: %s', (name) => {
    const { paths, components } = document;
    expect(JSON.stringify([paths, components])).toMatch(new RegExp(`"${name}":|"name":"${name}(\\[\\])?"`));
  });

  it('are at fields and parameters on every level', () => {
    const { CreateAppRequest, AccountList } = document.components.schemas;
    const { git } = CreateAppRequest?.properties ?? {};
    expect(git?.properties?.deploy_key?.description).toBe(fieldDescriptions.deploy_key);
    expect(AccountList?.properties?.per_page?.description).toBe(fieldDescriptions.per_page);
    expect(operationOf(endpoints.listDomains).parameters).toContainEqual(
      expect.objectContaining({ name: 'page', description: fieldDescriptions.page }),
    );
  });
});

describe('required fields', () => {
  const parts = table.flatMap(([name, { query, body }]) =>
    [query, body].flatMap((schema) => (schema instanceof z.ZodObject ? [[name, schema] as const] : [])),
  );
  it.each(parts)('%s: are those that are refused when missing', (_name, schema) => {
    expect(inputSchema(schema).required ?? []).toEqual(missingIn(schema, {}));
  });

  it('of a new account depend on whether there is a package', () => {
    const { createAccount } = endpoints;
    const [withPackage, custom] = (inputSchema(createAccount.body).anyOf as { required: string[] }[]) ?? [];
    expect(withPackage?.required).toEqual([
      ...missingIn(createAccount.body, { package_id: 1 }),
      'package_id',
    ]);
    expect(custom?.required).toEqual(missingIn(createAccount.body, {}));
  });

  function missingIn(schema: z.ZodType, fields: object): unknown[] {
    return (schema.safeParse(fields).error?.issues ?? []).map(({ path }) => path[0]);
  }
});

describe('examples', () => {
  it.each(Object.entries(examples))('of %s match the contract', (name, example) => {
    const { body, response }: Endpoint = endpoints[name as keyof typeof endpoints];
    if (example.request !== undefined) body?.parse(example.request);
    if (example.response !== undefined) response?.parse(example.response);
    expect(body === undefined && example.request !== undefined).toBe(false);
  });

  const withBody = table.filter(([, endpoint]) => operationOf(endpoint).requestBody?.required === true);
  it.each(withBody.filter(([, { body }]) => body !== undefined))('exist for the body of %s', (name) => {
    expect(examples[name as keyof typeof endpoints]?.request).toBeTypeOf('object');
  });
});
