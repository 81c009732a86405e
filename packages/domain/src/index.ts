export * from './ability.ts';
export * from './account-state.ts';
export * from './domain-error.ts';
export * from './domain-name.ts';
export * from './limits.ts';
export * from './uid.ts';
export * from './username.ts';
