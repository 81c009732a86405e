import type { Panel } from '../env.ts';
import { registerAccounts } from './accounts/register.tsx';
import { registerApps } from './apps/register.tsx';
import { registerAudit } from './audit/register.tsx';
import { registerCron } from './cron/register.tsx';
import { registerDashboard } from './dashboard/register.tsx';
import { registerDatabases } from './databases/register.tsx';
import { registerDomains } from './domains/register.tsx';
import { registerHome } from './home/register.tsx';
import { registerNodes } from './nodes/register.tsx';
import { registerPackages } from './packages/register.tsx';
import { registerResellers } from './resellers/register.tsx';
import { registerSecurity } from './security/register.tsx';
import { registerSignIn } from './sign-in/register.tsx';

/** Every page of the panel. */
export function registerPages(panel: Panel): void {
  registerSignIn(panel);
  registerSecurity(panel);
  registerHome(panel);
  registerDashboard(panel);
  registerDomains(panel);
  registerDatabases(panel);
  registerApps(panel);
  registerCron(panel);
  registerAccounts(panel);
  registerPackages(panel);
  registerResellers(panel);
  registerNodes(panel);
  registerAudit(panel);
}
