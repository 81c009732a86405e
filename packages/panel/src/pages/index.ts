import type { Panel } from '../env.ts';
import { registerAccounts } from './accounts/register.ts';
import { registerApps } from './apps/register.ts';
import { registerAudit } from './audit/register.ts';
import { registerBranding } from './branding/register.ts';
import { registerChanges } from './changes/register.ts';
import { registerCron } from './cron/register.ts';
import { registerDashboard } from './dashboard/register.ts';
import { registerDatabases } from './databases/register.ts';
import { registerHistory } from './history/register.ts';
import { registerMail } from './mail/register.ts';
import { registerNodes } from './nodes/register.ts';
import { registerPackages } from './packages/register.ts';
import { registerPassword } from './password/register.ts';
import { registerProfile } from './profile/register.ts';
import { registerResellers } from './resellers/register.ts';
import { registerSearch } from './search/register.ts';
import { registerSecurity } from './security/register.ts';
import { registerSignIn } from './sign-in/register.ts';
import { registerSites } from './sites/register.ts';
import { registerStaff } from './staff/register.ts';
import { registerUnsent } from './unsent/register.ts';

/** Every page of the panel. */
export function registerPages(panel: Panel): void {
  registerSignIn(panel);
  registerUnsent(panel);
  registerSearch(panel);
  registerPassword(panel);
  registerSecurity(panel);
  registerProfile(panel);
  registerDashboard(panel);
  registerHistory(panel);
  registerSites(panel);
  registerDatabases(panel);
  registerApps(panel);
  registerCron(panel);
  registerAccounts(panel);
  registerPackages(panel);
  registerChanges(panel);
  registerResellers(panel);
  registerNodes(panel);
  registerBranding(panel);
  registerStaff(panel);
  registerMail(panel);
  registerAudit(panel);
}
