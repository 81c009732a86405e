export { createAdmin } from './create-admin.ts';
export { createReseller } from './create-reseller.ts';
export { findUserId } from './find-user-id.ts';
export { getProfile, type Profile } from './get-profile.ts';
export type { PanelUserView } from './panel-user.ts';
export { setOwnPassword } from './set-own-password.ts';
