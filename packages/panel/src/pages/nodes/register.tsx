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
    return goToWithNotice(c, `/nodes/${idOf(c)}`, `${name} takes no new accounts.`);
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
        return goToWithNotice(c, '/nodes', `${name} was removed. The control plane refuses its agent.`);
      },
      ({ status, ...state }) => nodePage(c, { page: state }, status),
    ),
  );
}

function idOf(c: PanelContext): number {
  return Number(c.req.param('id'));
}

/** Null for an empty field. NaN for an invalid number, which the service refuses. */
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
      <Card title="Hosting servers">
        {nodes.length === 0 ? (
          <Empty>
            There is no server yet. Accounts run on hosting servers. Each server has an agent that sets up its
            accounts. <a href="/nodes/new">Add the first one</a>
          </Empty>
        ) : (
          <Table
            caption="Servers"
            headings={['Name', 'State', 'Agent', 'Last seen', 'Accounts', 'Allocated']}
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

/** Settings that weaken the security of the whole installation, or of a server. */
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
      {failed === 0 ? null : <div class="error">{`${numberText(failed)} failing`}</div>}
    </>
  );
}

/** Sum of the accounts' limits, compared with the capacity that placement uses. */
function Bars({ node: { allocated, counted } }: { node: NodeView }) {
  const parts = [
    ['Disk space', allocated.disk_mb, counted.disk_bytes],
    ['Memory', allocated.ram_mb, counted.memory_bytes],
  ] as const;
  return (
    <>
      {parts.map(([label, used, bytes]) =>
        bytes === null ? (
          <p class="soft">{`${label}: ${numberText(used)} MiB (capacity not reported yet)`}</p>
        ) : (
          <UsageBar label={label} used={used} limit={Math.floor(bytes / MiB)} unit=" MiB" />
        ),
      )}
    </>
  );
}

/** `refused`: the form that was refused, either the capacity or another change of the server. */
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
              ['Host name', node.hostname ?? 'not reported yet'],
              ['Agent', node.agent_version ?? 'none yet'],
              ['Last seen', <Moment at={node.last_seen_at} />],
              ['Joined', <Moment at={node.enrolled_at} />],
              [
                'Processors',
                node.capacity.cpu_count === null ? 'not reported yet' : numberText(node.capacity.cpu_count),
              ],
              ['Disk quotas', quotaWords(node.disk_quota)],
              [
                'Disk I/O limits',
                node.io_limits === null
                  ? 'not reported yet'
                  : node.io_limits
                    ? 'enforced'
                    : 'not available on this server',
              ],
            ]}
          />
        </Card>
        <Card title="Allocated">
          <Bars node={node} />
          <Facts
            facts={[
              ['Accounts', <Accounts node={node} />],
              ['Reported by the server', numberText(node.accounts_reported)],
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
  new: 'The server has not joined yet. Run its join command, or create a new one below.',
  active: 'The server takes new accounts.',
  cordoned: 'The server serves its accounts and takes no new ones.',
  offline:
    'The server has sent no heartbeat for 45 s. Its sites may still work. It applies changes when it is back. Check its agent: systemctl status innkeeper-agent.',
};

function quotaWords(quota: string | null): string {
  if (quota === null) return 'not reported yet';
  return quota === 'enforced' ? 'enforced' : 'only measured, not enforced';
}

function Changes({ c, node: { id, name, cordoned, allocated } }: { c: PanelContext; node: NodeView }) {
  return (
    <Card title="Actions">
      <div class="buttons">
        {cordoned ? (
          <ButtonForm c={c} action={`/nodes/${id}/uncordon`} submit="Resume new accounts" />
        ) : (
          <ButtonForm c={c} action={`/nodes/${id}/cordon`} submit="Pause new accounts" />
        )}
        <Confirm
          c={c}
          action={`/nodes/${id}/join-token`}
          ask="New join command"
          submit="Create a new join command"
        >
          <p>
            For a server that never joined, was reinstalled, or was off for more than a day. Earlier join
            commands stop working. A running agent is not affected.
          </p>
        </Confirm>
        {allocated.accounts === 0 ? (
          <Confirm c={c} action={`/nodes/${id}/remove`} ask="Remove" submit={`Remove ${name}`}>
            <p>
              The panel removes the server from its list, and the control plane refuses its agent. The data on
              the disk of the server stays.
            </p>
          </Confirm>
        ) : (
          <p class="soft">You can remove the server when it has no accounts.</p>
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
    <Card title="New hosting server">
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
          hint="IP address or host name of the sites on this server."
          attributes={plain}
        />
      </PostForm>
    </Card>,
  );
}

/** The join command. Only the response to the form shows it, never again. */
function joinPage(c: PanelContext, { node, secret, expires_at }: { node: NodeView } & JoinSecret): Response {
  const { control, tokenFor } = c.var.deps.join;
  const token = tokenFor(node.name, secret);
  return page(
    c,
    {
      title: `Join command for ${node.name}`,
      above: [servers, { name: node.name, path: `/nodes/${node.id}` }],
    },
    <Card title="Run this on the server, as root">
      <p>
        Run this in the folder of an unpacked release. It works once, only for this server, until{' '}
        <Moment at={expires_at} />. The panel shows it only now. The token never appears in the process list.
      </p>
      <Secret
        id="join-command"
        label="Join command"
        text={`./install.sh --control ${control} --join-token-file - <<< '${token}'`}
      />
      <p>
        <a class="button" href={`/nodes/${node.id}`}>
          Go to the server
        </a>
      </p>
    </Card>,
  );
}
