export * from './machine.ts';
export * from './servers/cheap-hashes.ts';
export * from './servers/test-database.ts';
export * from './servers/test-keys.ts';
export * from './servers/test-nats.ts';
export { type Behaviour, honestBehaviour } from './simulated-node/behaviour.ts';
export {
  SimulatedNode,
  type SimulatedNodeOptions,
  startSimulatedNode,
} from './simulated-node/simulated-node.ts';
export { makeZip, type ZipEntry } from './zip-archive.ts';
