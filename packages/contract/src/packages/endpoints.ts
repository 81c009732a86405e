import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { dataOf, guarded, read, show } from '../endpoint-kinds.ts';
import { hostingPackage } from './responses.ts';

export const packageEndpoints = {
  listPackages: {
    ...read,
    path: '/packages',
    access: 'packages:read',
    response: dataOf(z.array(hostingPackage)),
    errors: guarded,
    summary: 'List the packages for new accounts.',
  },
  getPackage: {
    ...show,
    path: '/packages/{id}',
    access: 'packages:read',
    response: dataOf(hostingPackage),
    summary: 'Get a package.',
  },
} as const satisfies Record<string, Endpoint>;
