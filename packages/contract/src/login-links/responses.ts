import { loginTargets } from '@innkeeper/domain';
import { z } from 'zod';

export const loginLink = z.strictObject({
  login_url: z.url(),
  /** Seconds from now. */
  expires_in: z.int().min(1),
  user_username: z.string(),
  user_email: z.string(),
  target: z.enum(loginTargets),
});
