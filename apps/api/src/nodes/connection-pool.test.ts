import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createConnectionPool } from './connection-pool.ts';

class FakeConnection extends EventEmitter {
  isOpen = true;
  destroy(): void {
    this.isOpen = false;
    this.emit('close');
  }
}

function rig(limits: { total: number; perKey: number }) {
  const cuts: string[] = [];
  const pool = createConnectionPool<FakeConnection>(limits, (key) => cuts.push(key));
  const open = (key: string) => {
    const connection = new FakeConnection();
    pool.add(key, connection);
    return connection;
  };
  return { pool, cuts, open };
}

it('a key with too many connections loses its oldest', () => {
  const { pool, cuts, open } = rig({ total: 10, perKey: 2 });
  const connections = [open('a'), open('b'), open('a'), open('a')];
  expect(connections.map(({ isOpen }) => isOpen)).toEqual([false, true, true, true]);
  expect([pool.size, cuts]).toEqual([3, ['a']]);
});

it('a new connection replaces one of the key with the most connections', () => {
  const { pool, open } = rig({ total: 4, perKey: 3 });
  const quiet = open('quiet');
  const flood = [open('flood'), open('flood'), open('flood')];
  const newcomer = open('newcomer');
  expect([quiet, ...flood, newcomer].map(({ isOpen }) => isOpen)).toEqual([true, false, true, true, true]);
  expect(pool.size).toBe(4);
});

it('closed and released connections make room', () => {
  const { pool, cuts, open } = rig({ total: 2, perKey: 2 });
  open('a').destroy();
  const released = open('a');
  pool.release(released);
  open('a');
  open('a');
  released.destroy();
  expect([pool.size, cuts, released.isOpen]).toEqual([2, [], false]);
  pool.destroyAll();
  expect(pool.size).toBe(0);
});
