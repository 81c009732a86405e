import { DomainError } from '@innkeeper/domain';

export function keyInProgress(): DomainError {
  return new DomainError('conflict', 'A request with this Idempotency-Key is in progress.');
}
