import type { StaffRow } from '@innkeeper/db';
import type { StaffRole } from '@innkeeper/domain';

/** A person of the staff, as admins see it. */
export interface StaffView {
  id: number;
  username: string;
  name: string;
  email: string;
  role: StaffRole;
  /** `invited`: has no password yet. `disabled`: cannot sign in, and its tokens do not work. */
  status: 'active' | 'disabled' | 'invited';
  has_second_factor: boolean;
  created_at: Date;
}

export function staffView(row: StaffRow): StaffView {
  const { id, username, name, email, role, created_at, disabled_at, invited_at, totp_confirmed_at } = row;
  return {
    id,
    username,
    name,
    email,
    role,
    status: disabled_at !== null ? 'disabled' : invited_at !== null ? 'invited' : 'active',
    has_second_factor: totp_confirmed_at !== null,
    created_at,
  };
}
