import type { NodeView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { ButtonForm, type FormState, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { numberText } from '../../ui/numbers.ts';
import { Card, Facts, Moment } from '../../ui/parts.tsx';

const MiB = 1024 ** 2;

/** The server reports more capacity than is plausible, and no admin has handled it yet. */
export function CapacityAlarm({ c, node }: { c: PanelContext; node: NodeView }) {
  if (node.capacity_jumped_at === null) return null;
  return (
    <Card title="Unexpected capacity">
      <p class="error">
        Since <Moment at={node.capacity_jumped_at} /> this server has reported more than four times its known
        memory or disk. Placement counts with four times the known value at most.
      </p>
      <Facts
        facts={[
          ['Known memory', mebibytes(node.known.memory_bytes)],
          ['Reported memory', mebibytes(node.capacity.memory_bytes)],
          ['Known disk', mebibytes(node.known.disk_bytes)],
          ['Reported disk', mebibytes(node.capacity.disk_bytes)],
        ]}
      />
      <p>
        If the server was enlarged, accept the reported values. If it was not, set its capacity below or pause
        new accounts, and look for the cause.
      </p>
      <ButtonForm c={c} action={`/nodes/${node.id}/accept-capacity`} submit="Accept the reported values" />
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
  const { memory_mb, disk_mb } = node.allocatable;
  const shown = state ?? freshForm({ memory_mb: String(memory_mb ?? ''), disk_mb: String(disk_mb ?? '') });
  const attributes = { inputmode: 'numeric', autocomplete: 'off' };
  return (
    <Card title="Capacity">
      <PostForm c={c} action={`/nodes/${node.id}/capacity`} state={shown} submit="Save the capacity">
        <TextField
          state={shown}
          name="memory_mb"
          label="Memory for accounts, MiB"
          hint={`Empty: what the server reports (${mebibytes(node.capacity.memory_bytes)}).`}
          attributes={attributes}
        />
        <TextField
          state={shown}
          name="disk_mb"
          label="Disk for accounts, MiB"
          hint={`Empty: what the server reports (${mebibytes(node.capacity.disk_bytes)}). The smaller of both values counts when a server is chosen for a new account.`}
          attributes={attributes}
        />
      </PostForm>
    </Card>
  );
}

function mebibytes(bytes: number | null): string {
  return bytes === null ? 'not reported yet' : `${numberText(Math.floor(bytes / MiB))} MiB`;
}
