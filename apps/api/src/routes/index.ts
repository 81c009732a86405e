import type { Routes } from '../http/route.ts';
import { accounts } from './accounts.ts';
import { apps } from './apps.ts';
import { cronJobs } from './cron-jobs.ts';
import { databases } from './databases.ts';
import { domains } from './domains.ts';
import { loginLinks } from './login-links.ts';
import { packages } from './packages.ts';
import { system } from './system.ts';

/** The implementation of every endpoint in the contract's table. */
export const routes: Routes = {
  ...system,
  ...loginLinks,
  ...packages,
  ...accounts,
  ...domains,
  ...databases,
  ...cronJobs,
  ...apps,
};
