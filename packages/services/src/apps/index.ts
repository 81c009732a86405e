export { type AppTemplates, builtInAppTemplates } from './app-templates.ts';
export { listAppTemplates } from './list-app-templates.ts';
