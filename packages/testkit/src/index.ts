export * from './machine.ts';
export * from './test-database.ts';
