export { getPool } from './get-pool.ts';
export type { PoolSizes, PoolView } from './pool-view.ts';
export { type SetPoolInput, setPool } from './set-pool.ts';
