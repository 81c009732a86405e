import type { UsageView } from '@innkeeper/services';
import { useTexts } from '../language/use-texts.ts';
import { UsageBar } from './parts.tsx';
import { uiTexts } from './texts/index.ts';

/** Usage of the measured limits of an account. */
export function UsageBars({ usage }: { usage: UsageView }) {
  const texts = useTexts(uiTexts);
  return (
    <>
      <UsageBar label={texts.diskSpace} used={usage.disk_used_mb} limit={usage.disk_limit_mb} unit=" MiB" />
      <UsageBar
        label={texts.bandwidthThisMonth}
        used={usage.bandwidth_used_mb}
        limit={usage.bandwidth_limit_mb}
        unit=" MiB"
      />
      <UsageBar
        label={texts.cpuOfOneCore}
        used={usage.cpu_used_percent}
        limit={usage.cpu_limit_percent}
        unit="%"
      />
      <UsageBar label={texts.memory} used={usage.ram_used_mb} limit={usage.ram_limit_mb} unit=" MiB" />
    </>
  );
}
