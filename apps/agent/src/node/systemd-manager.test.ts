import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listUnits, listUnitsCall } from './systemd-manager.ts';

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
const NAMES = ['dbus.service', 'nope.service'];

let folder: string;
let socket: string;
let server: Server;
let received: Buffer;

/** A manager that answers the greeting, and answers the call with the pieces. */
async function startManager(...pieces: readonly Buffer[]): Promise<void> {
  server = createServer((connection) => {
    connection.once('data', () => {
      connection.write(OK);
      connection.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        if (received.length === listUnitsCall(NAMES).length)
          for (const piece of pieces) connection.write(piece);
      });
    });
    connection.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
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

test('reports units by name, missing ones included', async () => {
  await startManager(SIGNAL, ANSWER);
  expect([...(await listUnits(NAMES, socket))]).toEqual([
    ['dbus.service', { active: 'active', sub: 'running', hasJob: false }],
    ['nope.service', { active: 'inactive', sub: 'dead', hasJob: false }],
  ]);
  expect(received).toEqual(listUnitsCall(NAMES));
});

test('parses an answer that arrives byte by byte', async () => {
  await startManager(...Array.from(ANSWER, (byte) => Buffer.of(byte)));
  expect((await listUnits(NAMES, socket)).size).toBe(2);
});

test('a refusal of systemd is a failure with its message', async () => {
  await startManager(REFUSAL);
  await expect(listUnits(NAMES, socket)).rejects.toThrow('Unknown method ListUnitsByNamez');
});

test('an answer for other units is a failure', async () => {
  await startManager(ANSWER);
  const names = ['dbus.service', 'dbus.service'];
  await expect(listUnits(names, socket)).rejects.toThrow('answered for other units');
});

test('gives up on a manager that does not answer', async () => {
  await startManager();
  await expect(listUnits(NAMES, socket, 50)).rejects.toThrow('no answer within 50 ms');
});

test('a missing socket is a retryable failure', async () => {
  await startManager();
  const question = listUnits(NAMES, join(folder, 'other'));
  await expect(question).rejects.toMatchObject({ reason: 'Failed', retryable: true });
});
