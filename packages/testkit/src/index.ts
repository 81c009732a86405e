export * from './machine.ts';
export type { Behaviour } from './simulated-node/behaviour.ts';
export {
  SimulatedNode,
  type SimulatedNodeOptions,
  startSimulatedNode,
} from './simulated-node/simulated-node.ts';
export * from './test-database.ts';
export * from './test-nats.ts';
export { makeZip, type ZipEntry } from './zip-archive.ts';
