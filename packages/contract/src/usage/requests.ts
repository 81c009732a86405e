import { z } from 'zod';
import { required } from '../fields/field.ts';
import { integerList } from '../fields/kinds.ts';

const BULK_USAGE_MAX_IDS = 100;

export const bulkUsageQuery = z.object({
  hosting_account_id: required(integerList({ max: BULK_USAGE_MAX_IDS })),
});
