import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeCall, type MethodCall, type Value } from './dbus-message.ts';
import {
  type CallOptions,
  createCallSystemd,
  managerCall,
  propertyCall,
  type Reply,
} from './systemd-manager.ts';

/** The bytes that systemd 252 sent for dbus.service and nope.service. */
const OK = Buffer.from('OK a565bcc5a3394228b7ea6b0545810379\r\n');
const ANSWER = Buffer.from(
  'bAIBAVIBAAABAAAAQwAAAAUBdQABAAAABwFzABgAAABvcmcuZnJlZWRlc2t0b3Auc3lzdGVtZDEAAAAAAAAAAAgBZwANYShzc3Nzc3NvdXNvKQAAAAAAAEoBAAAAAAAADAAAAGRidXMuc2VydmljZQAAAAAYAAAARC1CdXMgU3lzdGVtIE1lc3NhZ2UgQnVzAAAAAAYAAABsb2FkZWQAAAYAAABhY3RpdmUAAAcAAABydW5uaW5nAAAAAAAAAAAALQAAAC9vcmcvZnJlZWRlc2t0b3Avc3lzdGVtZDEvdW5pdC9kYnVzXzJlc2VydmljZQAAAAAAAAAAAAAAAAAAAAEAAAAvAAAADAAAAG5vcGUuc2VydmljZQAAAAAMAAAAbm9wZS5zZXJ2aWNlAAAAAAkAAABub3QtZm91bmQAAAAIAAAAaW5hY3RpdmUAAAAABAAAAGRlYWQAAAAAAAAAAAAAAAAtAAAAL29yZy9mcmVlZGVza3RvcC9zeXN0ZW1kMS91bml0L25vcGVfMmVzZXJ2aWNlAAAAAAAAAAAAAAAAAAAAAQAAAC8A',
  'base64',
);
/** The signal UnitNew of nope.service, which arrives over the same connection. */
const SIGNAL = Buffer.from(
  'bAQBAUYAAAACAAAAmAAAAAEBbwAZAAAAL29yZy9mcmVlZGVza3RvcC9zeXN0ZW1kMQAAAAAAAAACAXMAIAAAAG9yZy5mcmVlZGVza3RvcC5zeXN0ZW1kMS5NYW5hZ2VyAAAAAAAAAAADAXMABwAAAFVuaXROZXcABwFzABgAAABvcmcuZnJlZWRlc2t0b3Auc3lzdGVtZDEAAAAAAAAAAAgBZwACc28ADAAAAG5vcGUuc2VydmljZQAAAAAtAAAAL29yZy9mcmVlZGVza3RvcC9zeXN0ZW1kMS91bml0L25vcGVfMmVzZXJ2aWNlAA==',
  'base64',
);
/** The reply to a call of a missing method. */
const REFUSAL = Buffer.from(
  'bAMBAVMAAAABAAAAbwAAAAUBdQABAAAABAFzACgAAABvcmcuZnJlZWRlc2t0b3AuREJ1cy5FcnJvci5Vbmtub3duTWV0aG9kAAAAAAAAAAAHAXMAGAAAAG9yZy5mcmVlZGVza3RvcC5zeXN0ZW1kMQAAAAAAAAAACAFnAAFzAABOAAAAVW5rbm93biBtZXRob2QgTGlzdFVuaXRzQnlOYW1leiBvciBpbnRlcmZhY2Ugb3JnLmZyZWVkZXNrdG9wLnN5c3RlbWQxLk1hbmFnZXIuAA==',
  'base64',
);
/** The reply to a start, then the signals JobNew and JobRemoved of its job 798. */
const STARTED = Buffer.from(
  'bAIBASYAAAADAAAANwAAAAUBdQABAAAABwFzABgAAABvcmcuZnJlZWRlc2t0b3Auc3lzdGVtZDEAAAAAAAAAAAgBZwABbwAAIQAAAC9vcmcvZnJlZWRlc2t0b3Avc3lzdGVtZDEvam9iLzc5OAA=',
  'base64',
);
const JOB_NEW = Buffer.from(
  'bAQBAUsAAAACAAAAmQAAAAEBbwAZAAAAL29yZy9mcmVlZGVza3RvcC9zeXN0ZW1kMQAAAAAAAAACAXMAIAAAAG9yZy5mcmVlZGVza3RvcC5zeXN0ZW1kMS5NYW5hZ2VyAAAAAAAAAAADAXMABgAAAEpvYk5ldwAABwFzABgAAABvcmcuZnJlZWRlc2t0b3Auc3lzdGVtZDEAAAAAAAAAAAgBZwADdW9zAAAAAAAAAAAeAwAAIQAAAC9vcmcvZnJlZWRlc2t0b3Avc3lzdGVtZDEvam9iLzc5OAAAABoAAABpbm5rZWVwZXItcGhwQDIwMDAxLnNvY2tldAA=',
  'base64',
);
const JOB_REMOVED = Buffer.from(
  'bAQBAVUAAAAlAAAAogAAAAEBbwAZAAAAL29yZy9mcmVlZGVza3RvcC9zeXN0ZW1kMQAAAAAAAAACAXMAIAAAAG9yZy5mcmVlZGVza3RvcC5zeXN0ZW1kMS5NYW5hZ2VyAAAAAAAAAAADAXMACgAAAEpvYlJlbW92ZWQAAAAAAAAHAXMAGAAAAG9yZy5mcmVlZGVza3RvcC5zeXN0ZW1kMQAAAAAAAAAACAFnAAR1b3NzAAAAAAAAAB4DAAAhAAAAL29yZy9mcmVlZGVza3RvcC9zeXN0ZW1kMS9qb2IvNzk4AAAAGgAAAGlubmtlZXBlci1waHBAMjAwMDEuc29ja2V0AAAEAAAAZG9uZQA=',
  'base64',
);
const UNITS = managerCall('ListUnitsByNames', 'as', ['dbus.service', 'nope.service']);
const START = managerCall('StartUnit', 'ss', 'innkeeper-php@20001.socket', 'replace');

let folder: string;
let socket: string;
let server: Server;
let received: Buffer;

/** A manager that answers the greeting, and answers the first complete call with the pieces. */
async function startManager(...pieces: readonly Buffer[]): Promise<void> {
  server = createServer((connection) => {
    connection.once('data', () => {
      connection.write(OK);
      connection.once('data', (chunk) => {
        received = chunk;
        for (const piece of pieces) connection.write(piece);
      });
    });
    connection.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
}

function call(wanted: MethodCall, options: Partial<CallOptions> = {}): Promise<Reply[]> {
  return createCallSystemd(socket)([wanted], { timeoutMs: 5_000, ...options });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'manager-'));
  socket = join(folder, 'private');
  received = Buffer.alloc(0);
});

afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test('sends the call, and returns its reply among signals', async () => {
  await startManager(SIGNAL, ANSWER);
  const [reply] = await call(UNITS);
  const units = reply?.values[0] as readonly (readonly Value[])[];
  expect(units.map((unit) => unit.slice(0, 5))).toEqual([
    ['dbus.service', 'D-Bus System Message Bus', 'loaded', 'active', 'running'],
    ['nope.service', 'nope.service', 'not-found', 'inactive', 'dead'],
  ]);
  expect(received).toEqual(encodeCall(UNITS, 1));
});

test('parses an answer that arrives byte by byte', async () => {
  await startManager(...Array.from(ANSWER, (byte) => Buffer.of(byte)));
  expect((await call(UNITS))[0]?.values).toHaveLength(1);
});

test('a refusal of systemd is a reply with its name and message', async () => {
  await startManager(REFUSAL);
  expect((await call(UNITS))[0]?.error).toEqual({
    name: 'org.freedesktop.DBus.Error.UnknownMethod',
    message: expect.stringContaining('Unknown method ListUnitsByNamez'),
  });
});

test.each([
  ['after its reply', [STARTED, JOB_NEW, JOB_REMOVED]],
  ['before its reply is read', [JOB_NEW, JOB_REMOVED, STARTED]],
])('returns the result of an awaited job that ends %s', async (_, pieces) => {
  await startManager(...pieces);
  expect(await call(START, { awaitsJobs: true })).toEqual([{ values: ['done'] }]);
});

test('waits for the end of a job, and for nothing else', async () => {
  await startManager(STARTED, JOB_NEW);
  await expect(call(START, { awaitsJobs: true, timeoutMs: 50 })).rejects.toThrow('no answer within 50 ms');
  expect(await call(START)).toEqual([{ values: ['/org/freedesktop/systemd1/job/798'] }]);
});

test('an aborted step ends the call with the reason of the abort', async () => {
  await startManager();
  const ending = new AbortController();
  const called = call(UNITS, { signal: ending.signal });
  ending.abort(new Error('newer spec'));
  await expect(called).rejects.toThrow('newer spec');
});

test('a missing socket is a retryable failure', async () => {
  const none = createCallSystemd(join(folder, 'other'));
  server = createServer();
  await expect(none([UNITS], { timeoutMs: 5_000 })).rejects.toMatchObject({
    reason: 'Failed',
    retryable: true,
  });
});

test('the path of a unit has letters and digits only', () => {
  expect(propertyCall('innkeeper-php@20001.service', 'Service', 'Result').path).toBe(
    '/org/freedesktop/systemd1/unit/innkeeper_2dphp_4020001_2eservice',
  );
  expect(propertyCall('0é.slice', 'Slice', 'MemoryMax').path).toMatch(/unit\/_30_c3_a9_2eslice$/);
});
