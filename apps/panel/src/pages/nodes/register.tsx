import {
  acceptNodeCapacity,
  addNode,
  cordonNode,
  getNode,
  type JoinSecret,
  listNodes,
  listReservedOverlaps,
  type NodeView,
  overlapSentence,
  removeNode,
  renewJoinToken,
  serverWarningSentence,
  setNodeCapacity,
  uncordonNode,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { numberOf, submit, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/notice.ts';
import { proven } from '../../http/proof.tsx';
import { admin, operatorContext } from '../../http/session.ts';
import {
  ButtonForm,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  Refusal,
  TextField,
} from '../../ui/form.tsx';
import { numberText } from '../../ui/numbers.ts';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Empty, Facts, Moment, Secret, Status, Table, UsageBar } from '../../ui/parts.tsx';
import { Capacity, CapacityAlarm } from './capacity.tsx';

const ONE = '/nodes/:id{[1-9][0-9]{0,14}}';
const MiB = 1024 ** 2;
const servers = { name: 'Servers', path: '/nodes' };

/** Hosting servers: for admins. */
export function registerNodes(panel: Panel): void {
  panel.get('/nodes', admin, nodesPage);
  panel.get('/nodes/new', admin, (c) => newPage(c));
  panel.post('/nodes/new', admin, proven, (c) =>
    submit(
      c,
      async () => {
        const { form } = c.var;
        const input = { name: textOf(form, 'name'), address: textOf(form, 'address') };
        return joinPage(c, await addNode(operatorContext(c), input));
      },
      ({ status, ...state }) => newPage(c, state, status),
    ),
  );
  panel.get(ONE, admin, (c) => nodePage(c));
  panel.post(`${ONE}/join-token`, admin, proven, async (c) =>
    joinPage(c, await renewJoinToken(operatorContext(c), { node: idOf(c) })),
  );
  panel.post(`${ONE}/cordon`, admin, async (c) => {
    const { name } = await cordonNode(operatorContext(c), { node: idOf(c) });
    return goToWithNotice(c, `/nodes/${idOf(c)}`, `${name} takes no new accounts now.`);
  });
  panel.post(`${ONE}/uncordon`, admin, async (c) => {
    const { name } = await uncordonNode(operatorContext(c), { node: idOf(c) });
    return goToWithNotice(c, `/nodes/${idOf(c)}`, `${name} takes new accounts again.`);
  });
  panel.post(`${ONE}/capacity`, admin, (c) =>
    submit(
      c,
      async () => {
        const { name } = await setNodeCapacity(operatorContext(c), {
          node: idOf(c),
          memory_mb: amountOf(c, 'memory_mb'),
          disk_mb: amountOf(c, 'disk_mb'),
        });
        return goToWithNotice(c, `/nodes/${idOf(c)}`, `The capacity of ${name} is saved.`);
      },
      (refused) => nodePage(c, { capacity: refused }, refused.status),
    ),
  );
  panel.post(`${ONE}/accept-capacity`, admin, async (c) => {
    const { name } = await acceptNodeCapacity(operatorContext(c), { node: idOf(c) });
    return goToWithNotice(c, `/nodes/${idOf(c)}`, `The reported capacity of ${name} is accepted.`);
  });
  panel.post(`${ONE}/remove`, admin, (c) =>
    submit(
      c,
      async () => {
        const { name } = await removeNode(operatorContext(c), { node: idOf(c) });
        return goToWithNotice(c, '/nodes', `${name} is removed: its agent is refused from now on.`);
      },
      ({ status, ...state }) => nodePage(c, { page: state }, status),
    ),
  );
}

function idOf(c: PanelContext): number {
  return Number(c.req.param('id'));
}

/** Null for an empty field; NaN, which the verb refuses, for what is no number. */
function amountOf(c: PanelContext, field: string): number | null {
  return textOf(c.var.form, field) === '' ? null : numberOf(c.var.form, field);
}

async function nodesPage(c: PanelContext): Promise<Response> {
  const { db, names, warnings } = c.var.deps;
  const [nodes, overlaps] = await Promise.all([
    listNodes(operatorContext(c)),
    listReservedOverlaps(db, names.reserved),
  ]);
  return page(
    c,
    {
      title: 'Servers',
      actions: (
        <a class="button main" href="/nodes/new">
          Add a server
        </a>
      ),
    },
    <>
      <Warnings
        sentences={[...warnings, ...overlaps.map(overlapSentence), ...nodes.flatMap(capacitySentence)]}
      />
      <Card title="Where accounts live">
        {nodes.length === 0 ? (
          <Empty>
            There is no server yet. Accounts live on hosting servers, each with an agent that keeps them as
            they should be. <a href="/nodes/new">Add the first one</a>
          </Empty>
        ) : (
          <Table
            caption="Servers"
            headings={['Name', 'State', 'Agent', 'Last seen', 'Accounts', 'Handed out']}
            rows={nodes.map((node) => [
              <a href={`/nodes/${node.id}`}>{node.name}</a>,
              <>
                <State node={node} />
                {node.warnings.length === 0 ? null : (
                  <div class="error">{`${node.warnings.length} ${node.warnings.length === 1 ? 'warning' : 'warnings'}`}</div>
                )}
              </>,
              node.agent_version ?? <span class="soft">none yet</span>,
              <Moment at={node.last_seen_at} />,
              <Accounts node={node} />,
              <Bars node={node} />,
            ])}
          />
        )}
      </Card>
    </>,
  );
}

function capacitySentence({ name, capacity_jumped_at }: NodeView): string[] {
  if (capacity_jumped_at === null) return [];
  return [`${name} reports more than four times its known memory or disk. Its page says what to do.`];
}

/** What weakens the security of the whole installation, or of a server. */
function Warnings({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Card title="Warnings">
      {sentences.map((sentence) => (
        <p class="error">{sentence}</p>
      ))}
    </Card>
  );
}

function State({ node: { state, cordoned } }: { node: NodeView }) {
  return (
    <>
      <Status status={state} />{' '}
      {cordoned && state !== 'cordoned' ? <Badge tone="plain">cordoned</Badge> : null}
    </>
  );
}

function Accounts({ node }: { node: NodeView }) {
  const failed = node.accounts_failed;
  return (
    <>
      <a href={`/accounts?node=${node.id}`}>{numberText(node.allocated.accounts)}</a>
      {failed === 0 ? null : <div class="error">{`${numberText(failed)} not as they should be`}</div>}
    </>
  );
}

/** What the limits of its accounts add up to, against what placement counts with. */
function Bars({ node: { allocated, counted } }: { node: NodeView }) {
  const parts = [
    ['Disk space', allocated.disk_mb, counted.disk_bytes],
    ['Memory', allocated.ram_mb, counted.memory_bytes],
  ] as const;
  return (
    <>
      {parts.map(([label, used, bytes]) =>
        bytes === null ? (
          <p class="soft">{`${label}: ${numberText(used)} MiB, of what it has not said yet`}</p>
        ) : (
          <UsageBar label={label} used={used} limit={Math.floor(bytes / MiB)} unit=" MiB" />
        ),
      )}
    </>
  );
}

/** `refused`: the form of the capacity, or another change of the server. */
async function nodePage(
  c: PanelContext,
  refused: { page?: FormState; capacity?: FormState } = {},
  status = 200,
): Promise<Response> {
  const node = await getNode(operatorContext(c), { node: idOf(c) });
  return page(
    c,
    { title: node.name, above: [servers], status },
    <>
      <Refusal state={refused.page} />
      <Warnings sentences={node.warnings.map(serverWarningSentence)} />
      <CapacityAlarm c={c} node={node} />
      <div class="columns">
        <Card title="Server">
          <p>
            <State node={node} /> {stateSentences[node.state]}
          </p>
          <Facts
            facts={[
              ['Address', <code>{node.address}</code>],
              ['Host name', node.hostname ?? 'not said yet'],
              ['Agent', node.agent_version ?? 'none yet'],
              ['Last seen', <Moment at={node.last_seen_at} />],
              ['Joined', <Moment at={node.enrolled_at} />],
              [
                'Processors',
                node.capacity.cpu_count === null ? 'not said yet' : numberText(node.capacity.cpu_count),
              ],
              ['Disk quotas', quotaWords(node.disk_quota)],
              [
                'Limits of reading and writing',
                node.io_limits === null ? 'not said yet' : node.io_limits ? 'enforced' : 'not on this server',
              ],
            ]}
          />
        </Card>
        <Card title="Handed out">
          <Bars node={node} />
          <Facts
            facts={[
              ['Accounts', <Accounts node={node} />],
              ['Of them on the server', numberText(node.accounts_reported)],
            ]}
          />
        </Card>
      </div>
      <Capacity c={c} node={node} state={refused.capacity} />
      <Changes c={c} node={node} />
    </>,
  );
}

const stateSentences: Readonly<Record<NodeView['state'], string>> = {
  new: 'It has not joined yet: run the command that it was added with, or get another one below.',
  active: 'It takes new accounts.',
  cordoned: 'It serves its accounts and takes no new ones.',
  offline:
    'Nothing was heard of it for 45 seconds. Its sites may well work; changes are applied when it is back. See whether its agent runs: systemctl status innkeeper-agent.',
};

function quotaWords(quota: string | null): string {
  if (quota === null) return 'not said yet';
  return quota === 'enforced' ? 'enforced' : 'only measured, not enforced';
}

function Changes({ c, node: { id, name, cordoned, allocated } }: { c: PanelContext; node: NodeView }) {
  return (
    <Card title="Change it">
      <div class="buttons">
        {cordoned ? (
          <ButtonForm c={c} action={`/nodes/${id}/uncordon`} submit="Take new accounts again" />
        ) : (
          <ButtonForm c={c} action={`/nodes/${id}/cordon`} submit="Take no new accounts" />
        )}
        <Confirm
          c={c}
          action={`/nodes/${id}/join-token`}
          ask="New join command"
          submit="Make a new join command"
        >
          <p>
            For a server that never joined, was set up anew, or was off for more than a day. A join command
            that was made before stops working; a running agent goes on.
          </p>
        </Confirm>
        {allocated.accounts === 0 ? (
          <Confirm c={c} action={`/nodes/${id}/remove`} ask="Remove" submit={`Remove ${name}`}>
            <p>
              The panel forgets the server, and its agent is refused from then on. What is on its disk stays
              there.
            </p>
          </Confirm>
        ) : (
          <p class="soft">It can be removed when it has no accounts.</p>
        )}
      </div>
    </Card>
  );
}

function newPage(c: PanelContext, state: FormState = freshForm(), status = 200): Response {
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true };
  return page(
    c,
    { title: 'Add a server', above: [servers], status },
    <Card title="A hosting server">
      <PostForm c={c} action="/nodes/new" state={state} submit="Add the server">
        <TextField
          state={state}
          name="name"
          label="Name"
          hint="Letters, digits and dashes, such as web1."
          attributes={plain}
        />
        <TextField
          state={state}
          name="address"
          label="Address"
          hint="Where its sites are reached: an IP address or a host name."
          attributes={plain}
        />
      </PostForm>
    </Card>,
  );
}

/** What makes a server join: shown with the answer to the form alone, never again. */
function joinPage(c: PanelContext, { node, secret, expires_at }: { node: NodeView } & JoinSecret): Response {
  const { control, tokenFor } = c.var.deps.join;
  const token = tokenFor(node.name, secret);
  return page(
    c,
    { title: `Let ${node.name} join`, above: [servers, { name: node.name, path: `/nodes/${node.id}` }] },
    <Card title="On the server, as root">
      <p>
        Run this in the folder of an unpacked release. It works once, for this server alone, until{' '}
        <Moment at={expires_at} />, and is shown only now. The token in it never stands in the list of
        processes.
      </p>
      <Secret
        id="join-command"
        label="Join command"
        text={`./install.sh --control ${control} --join-token-file - <<< '${token}'`}
      />
      <p>
        <a class="button" href={`/nodes/${node.id}`}>
          To the server
        </a>
      </p>
    </Card>,
  );
}
