export { createAdmin } from './create-admin.ts';
export { createReseller } from './create-reseller.ts';
export type { PanelUserInput, PanelUserView } from './panel-user.ts';
