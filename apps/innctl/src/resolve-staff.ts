import { DomainError } from '@innkeeper/domain';
import { listStaff, type OperatorContext } from '@innkeeper/services';

/** The id of a person of the staff with this username. Throws `not_found`. */
export async function resolveStaff(ctx: OperatorContext, username: string): Promise<number> {
  const wanted = username.trim().toLowerCase();
  const person = (await listStaff(ctx)).find((one) => one.username === wanted);
  if (person === undefined)
    throw new DomainError('not_found', `There is no person "${username.slice(0, 50)}" on the staff.`);
  return person.id;
}
