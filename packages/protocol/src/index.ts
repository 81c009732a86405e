export * from './account-report.ts';
export * from './account-spec.ts';
export * from './asks.ts';
export * from './node-session.ts';
export * from './node-settings.ts';
export * from './subjects.ts';
export * from './usage-report.ts';
