import type { Routes } from '../http/route.ts';

export const packages = {
  listPackages: {
    answer: async ({ services, context }) => ({ data: await services.listPackages(context) }),
  },
  getPackage: {
    answer: async ({ services, context, params }) => ({
      data: await services.getPackage(context, { package_id: params.id }),
    }),
  },
} satisfies Partial<Routes>;
