import type { NodeView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { textOf, wrongFields } from '../../http/form.ts';
import { textsFor } from '../../language/language.ts';
import { readSize, sizeToType } from '../../language/typed-size.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ButtonForm, type FormState, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { Card, Facts, Moment } from '../../ui/parts.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { nodesTexts } from './texts/index.ts';

const MiB = 1024 ** 2;

/** The server reports more capacity than is plausible, and no admin has handled it yet. */
export function CapacityAlarm({ c, node }: { c: PanelContext; node: NodeView }) {
  const texts = useTexts(nodesTexts);
  const sizeText = useSizeText();
  if (node.capacity_jumped_at === null) return null;
  return (
    <Card title={texts.unexpected}>
      <p class="error">{texts.unexpectedAbout(<Moment at={node.capacity_jumped_at} />)}</p>
      <Facts
        facts={[
          [texts.knownMemory, sizeText(node.known.memory_bytes)],
          [texts.reportedMemory, sizeText(node.capacity.memory_bytes)],
          [texts.knownDisk, sizeText(node.known.disk_bytes)],
          [texts.reportedDisk, sizeText(node.capacity.disk_bytes)],
        ]}
      />
      <p>{texts.unexpectedRemedy}</p>
      <ButtonForm c={c} action={`/nodes/${node.id}/accept-capacity`} submit={texts.acceptReported} />
    </Card>
  );
}

/** Sets the maximum capacity that placement uses. `state`: the form was refused. */
export function Capacity({
  c,
  node,
  state,
}: {
  c: PanelContext;
  node: NodeView;
  state: FormState | undefined;
}) {
  const texts = useTexts(nodesTexts);
  const sizeText = useSizeText();
  const { memory_mb, disk_mb } = node.allocatable;
  const typed = (mib: number | null) => (mib === null ? '' : sizeToType(mib));
  const shown = state ?? freshForm({ memory_mb: typed(memory_mb), disk_mb: typed(disk_mb) });
  const attributes = { autocomplete: 'off' };
  return (
    <Card title={texts.capacity}>
      <PostForm c={c} action={`/nodes/${node.id}/capacity`} state={shown} submit={texts.saveCapacity}>
        <TextField
          state={shown}
          name="memory_mb"
          label={texts.memoryForAccounts}
          hint={texts.memoryHint(sizeText(node.capacity.memory_bytes))}
          attributes={attributes}
        />
        <TextField
          state={shown}
          name="disk_mb"
          label={texts.diskForAccounts}
          hint={texts.diskHint(sizeText(node.capacity.disk_bytes))}
          attributes={attributes}
        />
      </PostForm>
    </Card>
  );
}

/** Reads the form: MiB, null for an empty field. Throws `invalid` for what is no size. */
export function capacityOf(c: PanelContext): { memory_mb: number | null; disk_mb: number | null } {
  const { notASize } = textsFor(c, uiTexts);
  const { memoryForAccounts, diskForAccounts } = textsFor(c, nodesTexts);
  const fields: Record<string, string[]> = {};
  const read = (field: string, label: string) => {
    const typed = textOf(c.var.form, field);
    if (typed === '') return null;
    const mib = readSize(typed);
    if (mib === undefined) fields[field] = [notASize(label)];
    return mib ?? null;
  };
  const capacity = {
    memory_mb: read('memory_mb', memoryForAccounts),
    disk_mb: read('disk_mb', diskForAccounts),
  };
  if (Object.keys(fields).length > 0) throw wrongFields(c, fields);
  return capacity;
}

/** `64 GB`, from bytes. */
function useSizeText(): (bytes: number | null) => string {
  const { notReported } = useTexts(nodesTexts);
  const { size } = useFormats();
  return (bytes) => (bytes === null ? notReported : size(Math.floor(bytes / MiB)));
}
