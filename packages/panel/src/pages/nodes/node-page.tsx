import {
  getNode,
  getServerHistory,
  listFailingAccounts,
  listServices,
  type NodeView,
  serverWarningSentence,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { operatorContext } from '../../http/session.ts';
import { ButtonForm, Confirm, Refusal } from '../../ui/form.tsx';
import { numberText } from '../../ui/numbers.ts';
import { page } from '../../ui/page.tsx';
import { Card, Facts, Moment } from '../../ui/parts.tsx';
import { FailingAccounts } from '../history/failing-accounts.tsx';
import { rangeOf } from '../history/range.ts';
import { ServerHistory, Services } from '../history/server-history.tsx';
import { Capacity, CapacityAlarm } from './capacity.tsx';
import { AccountCount, AllocationBars, NodeState, Warnings } from './node-parts.tsx';

/** A refused form of this page. */
interface RefusedForm {
  form: 'capacity' | 'remove';
  state: Refused;
}

const FAILING_SHOWN = 10;

/** One server: its state, its allocation and its actions. */
export async function nodePage(c: PanelContext, refused?: RefusedForm): Promise<Response> {
  const ctx = operatorContext(c);
  const range = rangeOf(c);
  const [node, points, failing] = await Promise.all([
    getNode(ctx, { node: recordId(c) }),
    getServerHistory(ctx, { node_id: recordId(c), range }),
    listFailingAccounts(ctx, { node_id: recordId(c), limit: FAILING_SHOWN }),
  ]);
  return page(
    c,
    { title: node.name, above: [{ name: 'Servers', path: '/nodes' }], status: refused?.state.status ?? 200 },
    <>
      <Refusal state={refused?.form === 'remove' ? refused.state : undefined} />
      <Warnings sentences={node.warnings.map(serverWarningSentence)} />
      <CapacityAlarm c={c} node={node} />
      <div class="half">
        <Card title="Server">
          <p>
            <NodeState node={node} /> {stateSentences[node.state]}
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
          <AllocationBars node={node} />
          <Facts
            facts={[
              ['Accounts', <AccountCount node={node} />],
              ['Reported by the server', numberText(node.accounts_reported)],
            ]}
          />
        </Card>
      </div>
      <div class="half">
        <FailingAccounts c={c} items={failing.items} hasMore={failing.has_more} />
        <Services services={listServices(node)} />
      </div>
      <ServerHistory path={`/nodes/${node.id}`} range={range} points={points} />
      <Capacity c={c} node={node} state={refused?.form === 'capacity' ? refused.state : undefined} />
      <Actions c={c} node={node} />
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

function Actions({ c, node: { id, name, cordoned, allocated } }: { c: PanelContext; node: NodeView }) {
  return (
    <Card title="Actions">
      <div class="actions">
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
          <p class="muted">You can remove the server when it has no accounts.</p>
        )}
      </div>
    </Card>
  );
}
