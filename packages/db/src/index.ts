export type { Database } from './schema/index.ts';
