export * from './machine.ts';
export * from './test-database.ts';
export * from './test-nats.ts';
