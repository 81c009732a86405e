import { listNodes, listReservedOverlaps } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { operatorContext } from '../../http/session.ts';
import { languageOf, textsFor } from '../../language/language.ts';
import { translate } from '../../language/sentences/translate.ts';
import { ActionLink } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Moment, Table } from '../../ui/parts.tsx';
import { AccountCount, AllocationBars, NodeState, Warnings } from './node-parts.tsx';
import { nodesTexts } from './texts/index.ts';

/** All hosting servers, and the warnings of the installation. */
export async function nodesPage(c: PanelContext): Promise<Response> {
  const texts = textsFor(c, nodesTexts);
  const { db, names, warnings } = c.var.deps;
  const [nodes, overlaps] = await Promise.all([
    listNodes(operatorContext(c)),
    listReservedOverlaps(db, names.reserved),
  ]);
  return page(
    c,
    {
      title: texts.title,
      actions: (
        <ActionLink c={c} action="node.add" href="/nodes/new" primary>
          {texts.add}
        </ActionLink>
      ),
    },
    <>
      <Warnings
        sentences={[
          ...warnings.map((warning) => translate(languageOf(c), warning)),
          ...overlaps.map(texts.overlap),
          ...nodes.filter((node) => node.capacity_jumped_at !== null).map(({ name }) => texts.jumped(name)),
        ]}
      />
      <Card title={texts.list}>
        {nodes.length === 0 ? (
          <Empty>
            {texts.none} <a href="/nodes/new">{texts.addFirst}</a>
          </Empty>
        ) : (
          <Table
            caption={texts.title}
            headings={[texts.name, texts.state, texts.agent, texts.lastSeen, texts.accounts, texts.allocated]}
            rows={nodes.map((node) => [
              <a href={`/nodes/${node.id}`}>{node.name}</a>,
              <>
                <NodeState node={node} />
                {node.warnings.length === 0 ? null : (
                  <div class="error">{texts.warningCount(node.warnings.length)}</div>
                )}
              </>,
              node.agent_version ?? <span class="muted">{texts.noAgent}</span>,
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
