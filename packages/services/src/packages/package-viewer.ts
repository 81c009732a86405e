import type { PackageViewer } from '@innkeeper/db';
import type { ServiceContext } from '../context.ts';

export function packageViewer(ctx: Pick<ServiceContext, 'actor'>): PackageViewer {
  return ctx.actor.role === 'admin'
    ? { role: 'admin' }
    : { role: 'reseller', user_id: ctx.actor.userId ?? 0 };
}
