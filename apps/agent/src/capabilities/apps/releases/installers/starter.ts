import type { AppSpec } from '@innkeeper/protocol';
import type { StarterSource } from '../../task/job.ts';

export function starterSource({ runtime }: AppSpec): StarterSource {
  return { kind: 'starter', runtime };
}
