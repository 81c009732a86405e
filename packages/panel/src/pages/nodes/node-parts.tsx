import type { NodeView } from '@innkeeper/services';
import { numberText } from '../../ui/numbers.ts';
import { Card, Status, Tag, UsageBar } from '../../ui/parts.tsx';

const MiB = 1024 ** 2;

/** Settings that weaken the security of the whole installation, or of a server. */
export function Warnings({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Card title="Warnings">
      {sentences.map((sentence) => (
        <p class="error">{sentence}</p>
      ))}
    </Card>
  );
}

export function NodeState({ node: { state, cordoned } }: { node: NodeView }) {
  return (
    <>
      <Status status={state} /> {cordoned && state !== 'cordoned' ? <Tag>cordoned</Tag> : null}
    </>
  );
}

export function AccountCount({ node }: { node: NodeView }) {
  const failed = node.accounts_failed;
  return (
    <>
      <a href={`/accounts?node=${node.id}`}>{numberText(node.allocated.accounts)}</a>
      {failed === 0 ? null : <div class="error">{`${numberText(failed)} failing`}</div>}
    </>
  );
}

/** Sum of the accounts' limits, compared with the capacity that placement uses. */
export function AllocationBars({ node: { allocated, counted } }: { node: NodeView }) {
  const parts = [
    ['Disk space', allocated.disk_mb, counted.disk_bytes],
    ['Memory', allocated.ram_mb, counted.memory_bytes],
  ] as const;
  return (
    <>
      {parts.map(([label, used, bytes]) =>
        bytes === null ? (
          <p class="muted">{`${label}: ${numberText(used)} MiB (capacity not reported yet)`}</p>
        ) : (
          <UsageBar label={label} used={used} limit={Math.floor(bytes / MiB)} unit=" MiB" />
        ),
      )}
    </>
  );
}
