import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

export const health = z.strictObject({ status: z.literal('ok'), time: timestamp });

const check = z.enum(['ok', 'failed']);

export const readiness = z.strictObject({
  status: z.enum(['ok', 'unavailable']),
  checks: z.strictObject({
    database: check,
    queue: check,
    nodes: z.strictObject({ total: z.int().min(0), online: z.int().min(0) }),
  }),
});

export const me = z.strictObject({
  status: z.literal('ok'),
  authenticated: z.literal(true),
  user: z.strictObject({ id: z.int().min(1), username: z.string(), role: z.enum(['admin', 'reseller']) }),
  token: z.strictObject({
    id: z.int().min(1),
    name: z.string(),
    purpose: z.string(),
    preset: z.string(),
    abilities: z.array(z.string()),
  }),
});
