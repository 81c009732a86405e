import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  FIRST_ORDERS_IN_WINDOW,
  FIRST_ORDERS_OF_ACCOUNT,
  ORDERS_IN_WINDOW,
  OrderBudget,
} from './order-budget.ts';

const FIRST_ORDERS_OF_NAME_A_DAY = 5;
const HOUR_MS = 3_600_000;
let folder: string;
let now: number;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'innkeeper-budget-'));
  now = Date.parse('2026-06-01T12:00:00Z');
});

afterEach(() => rmSync(folder, { recursive: true }));

const open = () => new OrderBudget(path.join(folder, 'orders.json'), FIRST_ORDERS_OF_NAME_A_DAY, () => now);
const first = (uid: number, name: string) => ({ uid, name, isRenewal: false });
const renewal = (at: number) => ({ uid: 1, name: `old-${at}.example.com`, isRenewal: true });

test('one customer cannot use up the orders of others', async () => {
  const budget = open();
  for (let at = 0; at < FIRST_ORDERS_OF_ACCOUNT; at += 1) await budget.take(first(1, `a${at}.example.com`));
  await expect(budget.take(first(1, 'more.example.com'))).rejects.toMatchObject({
    refused: false,
    waitMs: 3 * HOUR_MS,
    type: 'orderBudget',
  });
  await budget.take(first(2, 'other.example.com'));
});

test('first orders leave a reserve for renewals', async () => {
  const budget = open();
  for (let at = 0; at < FIRST_ORDERS_IN_WINDOW; at += 1) await budget.take(first(at, `a${at}.example.com`));
  await expect(budget.take(first(9_999, 'new.example.com'))).rejects.toMatchObject({ type: 'orderBudget' });
  for (let at = FIRST_ORDERS_IN_WINDOW; at < ORDERS_IN_WINDOW; at += 1) await budget.take(renewal(at));
  await expect(budget.take(renewal(0))).rejects.toMatchObject({ type: 'orderBudget' });
  now += 3 * HOUR_MS;
  await budget.take(first(9_999, 'new.example.com'));
});

test('limits first orders of a name per day, also across restarts', async () => {
  for (let at = 0; at < FIRST_ORDERS_OF_NAME_A_DAY; at += 1) {
    await open().take(first(at, 'demo.example.com'));
    now += HOUR_MS;
  }
  await expect(open().take(first(8, 'demo.example.com'))).rejects.toMatchObject({
    waitMs: (24 - FIRST_ORDERS_OF_NAME_A_DAY) * HOUR_MS,
  });
  await open().take({ uid: 8, name: 'demo.example.com', isRenewal: true });
});
