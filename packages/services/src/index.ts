export type { Actor, ServiceContext, WakeNode } from './context.ts';
