import type { NodeView } from '@innkeeper/services';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Notice, Status, Tag, UsageBar } from '../../ui/parts.tsx';
import { nodesTexts } from './texts/index.ts';

const MiB = 1024 ** 2;

/** Settings that weaken the security of the whole installation, or of a server. */
export function Warnings({ sentences }: { sentences: readonly string[] }) {
  const texts = useTexts(nodesTexts);
  if (sentences.length === 0) return null;
  return (
    <section class="stack" aria-label={texts.warnings}>
      {sentences.map((sentence) => (
        <Notice tone="warn">{sentence}</Notice>
      ))}
    </section>
  );
}

export function NodeState({ node: { state, cordoned } }: { node: NodeView }) {
  const texts = useTexts(nodesTexts);
  return (
    <>
      <Status status={state} /> {cordoned && state !== 'cordoned' ? <Tag>{texts.paused}</Tag> : null}
    </>
  );
}

export function AccountCount({ node }: { node: NodeView }) {
  const texts = useTexts(nodesTexts);
  const { number } = useFormats();
  const failed = node.accounts_failed;
  return (
    <>
      <a href={`/accounts?node=${node.id}`}>{number(node.allocated.accounts)}</a>
      {failed === 0 ? null : <div class="error">{texts.failing(number(failed))}</div>}
    </>
  );
}

/** Sum of the accounts' limits, compared with the capacity that placement uses. */
export function AllocationBars({ node: { allocated, counted } }: { node: NodeView }) {
  const texts = useTexts(nodesTexts);
  const { size } = useFormats();
  const parts = [
    [texts.diskSpace, allocated.disk_mb, counted.disk_bytes],
    [texts.memory, allocated.ram_mb, counted.memory_bytes],
  ] as const;
  return (
    <>
      {parts.map(([label, used, bytes]) =>
        bytes === null ? (
          <p class="muted">{texts.withoutCapacity(label, size(used))}</p>
        ) : (
          <UsageBar label={label} used={used} limit={Math.floor(bytes / MiB)} unit=" MiB" />
        ),
      )}
    </>
  );
}
