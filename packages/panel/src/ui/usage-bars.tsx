import type { UsageView } from '@innkeeper/services';
import { UsageBar } from './parts.tsx';

/** Usage of the measured limits of an account. */
export function UsageBars({ usage }: { usage: UsageView }) {
  return (
    <>
      <UsageBar label="Disk space" used={usage.disk_used_mb} limit={usage.disk_limit_mb} unit=" MiB" />
      <UsageBar
        label="Bandwidth this month"
        used={usage.bandwidth_used_mb}
        limit={usage.bandwidth_limit_mb}
        unit=" MiB"
      />
      <UsageBar
        label="CPU (100% is one core)"
        used={usage.cpu_used_percent}
        limit={usage.cpu_limit_percent}
        unit="%"
      />
      <UsageBar label="Memory" used={usage.ram_used_mb} limit={usage.ram_limit_mb} unit=" MiB" />
    </>
  );
}
