import { DomainError } from '@innkeeper/domain';
import type { ChannelRefusal } from '@innkeeper/protocol';

/** Why there is no channel: the node refused it, or it did not come. */
export const channelRefusals: Readonly<
  Record<ChannelRefusal | 'silent' | 'late' | 'stopping', () => DomainError>
> = {
  inactive: () => new DomainError('precondition_failed', 'The account is not active on its server.'),
  not_allowed: () => new DomainError('forbidden', 'The account has no terminal access.'),
  no_database: () => new DomainError('precondition_failed', 'The server does not have this database yet.'),
  too_many: () =>
    new DomainError('quota_exceeded', 'Too many connections to the server are open. Close one.'),
  silent: () => new DomainError('unavailable', 'The server does not answer now. Try again in a minute.'),
  late: () => new DomainError('unavailable', 'The server did not connect in time. Try again in a minute.'),
  stopping: () => new DomainError('unavailable', 'The panel restarts. Try again in a minute.'),
};
