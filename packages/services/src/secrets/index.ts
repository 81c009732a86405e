export { createSealer, type Sealer } from './sealer.ts';
