import { type Limit, limits } from '@innkeeper/domain';
import { z } from 'zod';

const size = z.int().min(0);
const unlimitable = z.int().min(1).nullable();

type ValueOf<L extends Limit> = L['unlimitable'] extends true ? typeof unlimitable : typeof size;

/** Every limit in a response, under its name for accounts. */
export const accountLimitValues = valuesBy('name') as { [L in Limit as L['name']]: ValueOf<L> };

/** The same under the names for packages. */
export const packageLimitValues = valuesBy('packageField') as {
  [L in Limit as L['packageField']]: ValueOf<L>;
};

function valuesBy(key: 'name' | 'packageField') {
  return Object.fromEntries(limits.map((limit) => [limit[key], limit.unlimitable ? unlimitable : size]));
}
