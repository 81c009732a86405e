import { type Endpoint, type EndpointName, endpoints } from '@innkeeper/contract';
import { abilities } from '@innkeeper/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask, pathOf, type Question, requireInContract } from '../test/ask.ts';
import { fakeDeps, identity } from '../test/fake-deps.ts';
import { goodFields } from '../test/good-fields.ts';
import { createApp } from './app.ts';

const app = createApp(fakeDeps());
/** An app in which each token has one ability alone. */
const appOfAbility = new Map(
  abilities.map((ability) => {
    const services = { authenticateToken: async () => identity(1, [ability]) };
    return [ability, createApp(fakeDeps({ services }))];
  }),
);
const fromOutside = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };
const table = Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][];
const guarded = table.filter(([, { access }]) => access !== 'public' && access !== 'signed');
const withAbility = guarded.filter(([, { access }]) => access !== 'token');

function good(name: EndpointName, id: number | string = 1): Question {
  const endpoint: Endpoint = endpoints[name];
  const { query, body, headers = {}, parts } = goodFields[name] ?? {};
  const path = pathOf(endpoint, id, parts) + (query === undefined ? '' : `?${query}`);
  return { method: endpoint.method, path, body, headers, token: 'admin' };
}

describe('every endpoint', () => {
  it.each(table)('%s answers a valid request as the contract describes', async (name, endpoint) => {
    const reply = await ask(app, good(name));
    expect(reply.status).toBe(endpoint.status);
    requireInContract(endpoint, reply);
    expect(reply.headers.get('Content-Type')).toBe(endpoint.response === null ? null : 'application/json');
    expect(reply.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(guarded)('%s refuses a request without a token', async (name) => {
    const { status, body } = await ask(app, { ...good(name), token: undefined });
    expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
  });

  it.each(guarded)('%s refuses an unknown or revoked token', async (name) => {
    const { status, body } = await ask(app, { ...good(name), token: 'revoked' });
    expect([status, body]).toEqual([401, { message: 'Unauthenticated.' }]);
  });

  it.each(guarded)('%s refuses a client address that is not on the token’s allowlist', async (name) => {
    const { status, body } = await ask(app, { ...good(name), token: 'allowlisted' });
    expect([status, body]).toEqual([403, { message: 'This API token is not allowed from your IP address.' }]);
    const allowed = await ask(app, { ...good(name), token: 'allowlisted', address: '::ffff:198.51.100.7' });
    expect(allowed.status).toBe(endpoints[name].status);
  });

  const refused = [403, { message: 'This API token does not have the required permission.' }];
  it.each(withAbility)('%s refuses a token without abilities', async (name) => {
    const { status, body } = await ask(app, { ...good(name), token: 'empty' });
    expect([status, body]).toEqual(refused);
  });

  it.each(withAbility)('%s requires exactly its own ability', async (name, { access }) => {
    for (const [ability, appWithIt] of appOfAbility) {
      const { status } = await ask(appWithIt, good(name));
      expect(status, ability).toBe(ability === access ? endpoints[name].status : 403);
    }
  });

  it.each(guarded.filter(([, { access }]) => access === 'token'))(
    '%s answers a token without abilities',
    async (name) => {
      expect((await ask(app, { ...good(name), token: 'empty' })).status).toBe(200);
    },
  );

  const ofRecord = table.filter(([, { params, access }]) => params !== undefined && access !== 'signed');
  it.each(ofRecord)('%s answers 404 for a missing record and for one of another user', async (name) => {
    for (const id of [2, '9007199254740993', 0, '01', '-1', '1.5', 'abc', '%00', '1%2f', '%E0%A4%A']) {
      const { status, body } = await ask(app, good(name, id));
      expect([status, body], String(id)).toEqual([404, { message: 'Not found.' }]);
    }
  });

  const withBody = table.filter(([, { body }]) => body !== undefined);
  it.each(withBody)('%s checks the record before the fields', async (name, { params, body: schema }) => {
    if (params === undefined) return;
    const mayBeEmpty = schema?.safeParse({}).success;
    for (const body of [...(mayBeEmpty ? [] : [{}]), '{bad']) {
      expect((await ask(app, { ...good(name, 2), body })).status).toBe(404);
      expect((await ask(app, { ...good(name, 1), body })).status).toBe(422);
    }
  });

  it.each(withBody)('%s answers 422 for a body that is not a JSON object', async (name) => {
    for (const body of ['{bad', '[]', '"text"', '1', 'null', '\0', '{"a":1}}']) {
      const reply = await ask(app, { ...good(name), body });
      expect([reply.status, Object.keys(reply.body.errors)], body).toEqual([422, ['body']]);
    }
    const { body } = await ask(app, { ...good(name), body: '{bad' });
    expect(body).toEqual({
      message: 'The body field must be a valid JSON string.',
      errors: { body: ['The body field must be a valid JSON string.'] },
    });
  });

  it.each(withBody)('%s refuses every field of one megabyte or of a wrong type', async (name) => {
    const fields = goodFields[name]?.body as Record<string, unknown>;
    for (const field of Object.keys(fields)) {
      for (const value of ['x'.repeat(900_000), { a: 1 }, [[]], [null], 1e308, -1, '\0']) {
        const reply = await ask(app, { ...good(name), body: { ...fields, [field]: value } });
        const isRecord = field === 'hosting_account_id' && value === -1;
        const isOpen =
          ((field === 'package_id' || field === 'domain_id') && value === -1) ||
          (field === 'env' && 'a' in Object(value));
        expect(reply.status, `${field} ${String(value).slice(0, 9)}`).toBe(
          isRecord ? 404 : isOpen ? endpoints[name].status : 422,
        );
        if (reply.status === 422)
          expect(Object.keys(reply.body.errors).map((key) => key.split('.')[0])).toContain(field);
      }
    }
  });

  it.each(withBody)('%s refuses a body over 1 MiB, with and without a Content-Length', async (name) => {
    const body = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
    for (const headers of [{ 'Content-Length': String(body.length) }, {}]) {
      const reply = await ask(app, { ...good(name), body, headers });
      expect([reply.status, reply.body]).toEqual([413, { message: 'The POST data is too large.' }]);
    }
  });
});

describe('order of refusals', () => {
  it('the account in a body or filter comes before other fields', async () => {
    const body = { hosting_account_id: 2, domain_name: 'no' };
    expect((await ask(app, { ...good('createDomain'), body })).status).toBe(404);
    expect(
      (await ask(app, { ...good('createDomain'), body: { ...body, hosting_account_id: 1 } })).status,
    ).toBe(422);
    expect((await ask(app, { ...good('createDomain'), body: { domain_name: 'a.b' } })).status).toBe(422);
    const list = (query: string) => ask(app, { path: `/domains?${query}`, token: 'admin' });
    expect((await list('hosting_account_id=2&per_page=101')).status).toBe(404);
    expect((await list('hosting_account_id=1&per_page=101')).status).toBe(422);
    expect((await list('hosting_account_id=x')).body.errors).toEqual({
      hosting_account_id: ['The hosting account id field must be an integer.'],
    });
  });

  it('a missing account comes before a wrong query', async () => {
    expect((await ask(app, { path: '/accounts/2?include[]=apps', token: 'admin' })).status).toBe(404);
    expect((await ask(app, { path: '/accounts/1?include[]=apps', token: 'admin' })).body.errors).toEqual({
      include: ['The include field must be a string.'],
    });
  });

  it('a missing ability comes before the record', async () => {
    expect((await ask(app, { ...good('setAccountPassword', 2), body: '{bad', token: 'empty' })).status).toBe(
      403,
    );
  });
});

describe('request bodies', () => {
  const fields = 'username=Bob&name=Bob&email=bob%40example.com&password=+correct+horse&package_id=1';
  const form = { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' };
  const createdWith = async (question: Partial<Question>) => {
    let input: unknown;
    const services = {
      createAccount: async (_ctx: unknown, given: unknown) => {
        input = given;
        return {
          view: (await import('../test/fake-deps.ts')).accountView,
          nodeId: 1,
          accountId: 1,
          generation: 1,
        };
      },
    };
    const reply = await ask(createApp(fakeDeps({ services })), { ...good('createAccount'), ...question });
    return { status: reply.status, input, body: reply.body };
  };
  const bob = {
    username: 'bob',
    name: 'Bob',
    email: 'bob@example.com',
    password: ' correct horse',
    package_id: 1,
  };

  it('may be forms', async () => {
    expect(await createdWith({ body: fields, headers: form })).toMatchObject({ status: 201, input: bob });
  });

  it('are read as JSON with any other Content-Type, or none', async () => {
    for (const type of ['text/plain', 'application/problem+json', 'application/json; charset=utf-8']) {
      const created = await createdWith({ body: bob, headers: { 'Content-Type': type } });
      expect(created, type).toMatchObject({ status: 201, input: bob });
    }
  });

  it('are an object without fields when empty', async () => {
    for (const body of ['', ' \n']) {
      const { status, body: answered } = await createdWith({ body });
      expect([status, answered.message]).toEqual([
        422,
        'The username field is required. (and 10 more errors)',
      ]);
    }
  });

  it('reach services only with fields of the contract', async () => {
    const { input } = await createdWith({ body: { ...bob, role: 'admin', __proto__: { a: 1 }, uid: 0 } });
    expect(input).toEqual(bob);
  });
});

describe('the router', () => {
  it('answers an unknown path with 404 and names it', async () => {
    const reply = await ask(app, { path: '/nope', headers: { Accept: 'text/html' } });
    expect([reply.status, reply.body]).toEqual([
      404,
      { message: 'The route api/v1/nope could not be found.' },
    ]);
    expect(reply.headers.get('Content-Type')).toBe('application/json');
  });

  it.each(['/api', '/api/', '/api/v2/accounts', '/api/v1', '/api/v1/%2e%2e/domains', '/api/v1/..'])(
    'answers an unknown path with 404 in JSON, also without a token: %s',
    async (path) => {
      const { status, headers } = await app.request(path, { headers: { Accept: 'text/html' } }, fromOutside);
      expect([status, headers.get('Content-Type')]).toEqual([404, 'application/json']);
    },
  );

  it('answers an unsupported method with 405 and the supported methods', async () => {
    const reply = await ask(app, { path: '/accounts', method: 'PUT' });
    expect([reply.status, reply.body, reply.headers.get('Allow')]).toEqual([
      405,
      {
        message:
          'The PUT method is not supported for route api/v1/accounts. Supported methods: GET, HEAD, POST.',
      },
      'GET, HEAD, POST',
    ]);
  });

  it('ignores a slash at the end of a path', async () => {
    expect((await ask(app, { path: '/accounts/', token: 'admin' })).status).toBe(200);
  });

  it('prefers a literal path segment to an id', async () => {
    const reply = await ask(app, { path: '/accounts/check-username?username=BOB', token: 'admin' });
    expect(reply.body).toEqual({ data: { username: 'bob', available: true } });
    const bulk = await ask(app, { path: '/accounts/usage/bulk?hosting_account_id[]=1', token: 'admin' });
    expect(Object.keys(bulk.body.data)).toEqual(['1']);
  });

  it('answers /health with any token and without one', async () => {
    for (const token of [undefined, 'admin', 'revoked', 'empty'])
      expect((await ask(app, { path: '/health', token })).body).toEqual({
        status: 'ok',
        time: '2026-11-21T00:37:37.000000Z',
      });
  });

  it('answers HEAD like GET, without a body', async () => {
    const reply = await ask(app, { path: '/health', method: 'HEAD' });
    expect([reply.status, reply.body]).toEqual([200, '']);
  });
});

describe('query strings', () => {
  it('may contain any names and any bytes', async () => {
    for (const query of [
      '__proto__=1',
      'constructor[]=1',
      '%=%',
      'page=%E0%A4%A',
      '[]=',
      '&&&',
      'page[x]=1',
    ]) {
      expect((await ask(app, { path: `/accounts?${query}`, token: 'admin' })).status, query).toBe(200);
    }
  });

  it('become arrays when a key is repeated', async () => {
    const { body } = await ask(app, { path: '/accounts?per_page=1&per_page=2', token: 'admin' });
    expect(body.errors).toEqual({ per_page: ['The per page field must be an integer.'] });
  });
});

it('outside the API an unknown path is JSON for a client with a token, and a page for a browser', async () => {
  const get = async (headers: Record<string, string>) =>
    await app.request('/nowhere', { headers }, fromOutside);
  const program = await get({ Authorization: 'Bearer x' });
  expect([program.status, await program.json()]).toEqual([
    404,
    { message: 'The route nowhere could not be found.' },
  ]);
  const browser = await get({ Accept: 'text/html' });
  expect([browser.status, browser.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8']);
});

it('any request gets JSON of the contract and never a 500', async () => {
  const fields = fc.dictionary(
    fc.constantFrom(
      'username',
      'package_id',
      'password',
      'hosting_account_id',
      'domain_name',
      'iops',
      '__proto__',
    ),
    fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...table),
      fc.oneof(fields, fc.jsonValue(), fc.string()),
      fc.constantFrom(
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        '\u00ff',
      ),
      fc.webQueryParameters(),
      fc.constantFrom('1', '2', 'x', '%2e%2e', '9'.repeat(40)),
      async ([, endpoint], body, type, query, id) => {
        // `..` changes the path, and no link can contain it.
        fc.pre(endpoint.access !== 'signed' || id !== '%2e%2e');
        const reply = await ask(app, {
          method: endpoint.method,
          path: `${pathOf(endpoint, id)}?${query}`,
          token: 'admin',
          ...(endpoint.method === 'GET' ? {} : { body, headers: { 'Content-Type': type } }),
        });
        expect(reply.status).toBeLessThan(500);
        requireInContract(endpoint, reply);
      },
    ),
    // apps/api/test/integration/fuzz.test.ts sends thousands.
    { numRuns: 200 },
  );
});
