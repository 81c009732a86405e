import { listNodes, listReservedOverlaps, type NodeView, overlapSentence } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { ActionLink } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Moment, Table } from '../../ui/parts.tsx';
import { AccountCount, AllocationBars, NodeState, Warnings } from './node-parts.tsx';

/** All hosting servers, and the warnings of the installation. */
export async function nodesPage(c: PanelContext): Promise<Response> {
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
        <ActionLink c={c} action="node.add" href="/nodes/new" primary>
          Add a server
        </ActionLink>
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
                <NodeState node={node} />
                {node.warnings.length === 0 ? null : (
                  <div class="error">{`${node.warnings.length} ${node.warnings.length === 1 ? 'warning' : 'warnings'}`}</div>
                )}
              </>,
              node.agent_version ?? <span class="muted">none yet</span>,
              <Moment at={node.last_seen_at} />,
              <AccountCount node={node} />,
              <AllocationBars node={node} />,
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
