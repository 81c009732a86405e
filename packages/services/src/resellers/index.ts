export { findManager } from './find-manager.ts';
export { getPool } from './get-pool.ts';
export { listResellers, type ResellerView } from './list-resellers.ts';
export type { PoolView } from './pool-view.ts';
export { type SetPoolInput, setPool } from './set-pool.ts';
