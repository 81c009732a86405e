import type { Section } from '../clause.ts';
import { service } from './1-service.ts';
import { resources } from './2-resources.ts';
import { states } from './3-states.ts';
import { system } from './4a-system.ts';
import { accountCreate } from './4b-accounts-create.ts';
import { accountReads } from './4c-accounts-read.ts';
import { accountChanges } from './4d-accounts-change.ts';
import { loginLinks } from './4e-login-links.ts';
import { domains } from './4f-domains.ts';
import { apps } from './4g-apps.ts';
import { databases } from './4h-databases.ts';
import { cronJobs } from './4i-cron-jobs.ts';
import { authentication } from './5-authentication.ts';
import { rest } from './6-9-rest.ts';
import { limits, rateLimits } from './8-limits.ts';
import { requestDecisions } from './d1-requests.ts';
import { recordDecisions } from './d2-records.ts';
import { loginLinkDecisions } from './d3-login-links.ts';

/**
 * In the order of the specification's numbers; then the decisions, and last the sections that use up the rate limits.
 */
export const sections: Section[] = [
  ...[
    service,
    ...resources,
    states,
    ...system,
    accountCreate,
    ...accountReads,
    ...accountChanges,
    ...loginLinks,
    ...domains,
    ...apps,
    ...databases,
    ...cronJobs,
    ...authentication,
    ...rest,
    limits,
    ...requestDecisions,
    ...recordDecisions,
    loginLinkDecisions,
  ].sort((one, other) => one.number.localeCompare(other.number, 'en', { numeric: true })),
  rateLimits,
];
