import {
  getNode,
  getServerHistory,
  listFailingAccounts,
  listServices,
  type NodeView,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ActionLink, ButtonForm, Confirm, Refusal } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Facts, Moment } from '../../ui/parts.tsx';
import { FailingAccounts } from '../history/failing-accounts.tsx';
import { rangeOf } from '../history/range.ts';
import { ServerHistory, Services } from '../history/server-history.tsx';
import { Capacity, CapacityAlarm } from './capacity.tsx';
import { AccountCount, AllocationBars, NodeState, Warnings } from './node-parts.tsx';
import { nodesTexts } from './texts/index.ts';

/** A refused form of this page. */
interface RefusedForm {
  form: 'capacity' | 'remove';
  state: Refused;
}

const FAILING_SHOWN = 10;

/** One server: its state, its allocation and its actions. */
export async function nodePage(c: PanelContext, refused?: RefusedForm): Promise<Response> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, nodesTexts);
  const range = rangeOf(c);
  const [node, points, failing] = await Promise.all([
    getNode(ctx, { node: recordId(c) }),
    getServerHistory(ctx, { node_id: recordId(c), range }),
    listFailingAccounts(ctx, { node_id: recordId(c), limit: FAILING_SHOWN }),
  ]);
  return page(
    c,
    {
      title: node.name,
      above: [{ name: texts.title, path: '/nodes' }],
      status: refused?.state.status ?? 200,
    },
    <>
      <Refusal state={refused?.form === 'remove' ? refused.state : undefined} />
      <Warnings sentences={node.warnings.map(texts.warning)} />
      <CapacityAlarm c={c} node={node} />
      <div class="half">
        <ServerFacts node={node} />
        <Allocated node={node} />
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

function ServerFacts({ node }: { node: NodeView }) {
  const texts = useTexts(nodesTexts);
  const { number } = useFormats();
  const { notReported, enforced } = texts;
  const quotas = { null: notReported, enforced, other: texts.measured };
  const ioLimits = { null: notReported, true: enforced, false: texts.unavailable };
  const { cpu_count } = node.capacity;
  return (
    <Card title={texts.server}>
      <p>
        <NodeState node={node} />
      </p>
      <p>{texts.states[node.state]}</p>
      <Facts
        facts={[
          [texts.address, <code>{node.address}</code>],
          [texts.hostName, node.hostname ?? notReported],
          [texts.agent, node.agent_version ?? texts.noAgent],
          [texts.lastSeen, <Moment at={node.last_seen_at} />],
          [texts.joined, <Moment at={node.enrolled_at} />],
          [texts.processors, cpu_count === null ? notReported : number(cpu_count)],
          [texts.quotas, quotas[quotaKind(node.disk_quota)]],
          [texts.ioLimits, ioLimits[`${node.io_limits}`]],
        ]}
      />
    </Card>
  );
}

function quotaKind(quota: string | null): 'null' | 'enforced' | 'other' {
  if (quota === null) return 'null';
  return quota === 'enforced' ? quota : 'other';
}

function Allocated({ node }: { node: NodeView }) {
  const texts = useTexts(nodesTexts);
  const { number } = useFormats();
  return (
    <Card title={texts.allocated}>
      <AllocationBars node={node} />
      <Facts
        facts={[
          [texts.accounts, <AccountCount node={node} />],
          [texts.reported, number(node.accounts_reported)],
        ]}
      />
    </Card>
  );
}

function Actions({ c, node: { id, name, cordoned, allocated } }: { c: PanelContext; node: NodeView }) {
  const texts = useTexts(nodesTexts);
  return (
    <Card title={texts.actions}>
      <div class="actions">
        <ActionLink c={c} action="mail-relay.set" href={`/nodes/${id}/mail-relay`}>
          {texts.mailRelay}
        </ActionLink>
        {cordoned ? (
          <ButtonForm c={c} action={`/nodes/${id}/uncordon`} submit={texts.resume} />
        ) : (
          <ButtonForm c={c} action={`/nodes/${id}/cordon`} submit={texts.pause} />
        )}
        <Confirm
          c={c}
          action={`/nodes/${id}/join-token`}
          ask={texts.newJoinCommand}
          submit={texts.createJoinCommand}
          danger={false}
        >
          <p>{texts.joinAbout}</p>
        </Confirm>
        {allocated.accounts === 0 ? (
          <Confirm c={c} action={`/nodes/${id}/remove`} ask={texts.remove} submit={texts.removeServer(name)}>
            <p>{texts.removeAbout}</p>
          </Confirm>
        ) : (
          <p class="muted">{texts.notEmpty}</p>
        )}
      </div>
    </Card>
  );
}
