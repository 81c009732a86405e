import { hashLinuxPassword, hashSitePassword } from './linux-password.ts';
import { hashPanelPassword } from './panel-password.ts';

/** How passwords are hashed before they are stored. */
export interface PasswordHashes {
  /** For the login to the panel: argon2id. */
  panel: (password: string) => Promise<string>;
  /** For the Linux user: crypt(3). */
  linux: (password: string) => Promise<string>;
  /** For visitors of a site, with HTTP Basic: crypt(3). */
  site: (password: string) => Promise<string>;
}

/** About 40 ms for both, on one core. Nothing that an operator can set makes them cheaper. */
const realHashes: PasswordHashes = {
  panel: hashPanelPassword,
  linux: hashLinuxPassword,
  site: hashSitePassword,
};

export const passwordHashesOf = (ctx: { passwordHashes?: PasswordHashes | undefined }): PasswordHashes =>
  ctx.passwordHashes ?? realHashes;
