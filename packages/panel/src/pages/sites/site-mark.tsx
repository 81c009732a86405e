import type { AppListItem } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { AppMark } from '../../ui/app-mark.tsx';

/** The tile of a site: that of its app. */
export function SiteMark({ c, app }: { c: PanelContext; app: AppListItem | undefined }) {
  if (app === undefined) return <AppMark icon="" instead="folder" />;
  return <AppMark icon={c.var.deps.appTemplates.get(app.template_key)?.icon ?? ''} />;
}
