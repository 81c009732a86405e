export { createSealer, type Sealer } from './sealer.ts';
export { createSigner, type Signer } from './signer.ts';
