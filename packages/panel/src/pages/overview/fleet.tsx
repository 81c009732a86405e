import type { Fleet, FleetServer } from '@innkeeper/services';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Chart, Spark } from '../../ui/chart/chart.tsx';
import { Card, Empty, Facts, Table, UsageBar } from '../../ui/parts.tsx';
import { AccountCount, NodeState } from '../nodes/node-parts.tsx';
import { overviewTexts } from './texts/index.ts';

/** The state of all servers, their traffic, and the load of those that need attention first. */
export function FleetCards({ fleet: { counts, servers, traffic } }: { fleet: Fleet }) {
  const texts = useTexts(overviewTexts);
  const { number } = useFormats();
  return (
    <>
      <div class="half">
        <Card title={texts.fleet}>
          <Facts
            facts={[
              [texts.online, texts.ofAll(number(counts.online), number(counts.total))],
              [texts.warnings, number(counts.with_warnings)],
              [texts.failing, number(counts.failing_accounts)],
            ]}
          />
        </Card>
        <Card title={texts.requests}>
          <Chart
            title={texts.requestsName}
            times={traffic.map(({ at }) => at)}
            series={[
              { name: texts.requestsName, values: traffic.map(({ figures }) => figures?.requests ?? null) },
              { name: texts.errorsName, values: traffic.map(({ figures }) => figures?.errors ?? null) },
            ]}
            shown={number}
          />
        </Card>
      </div>
      <Card title={texts.servers} actions={<a href="/nodes">{texts.allServers}</a>}>
        {servers.length === 0 ? (
          <Empty>
            {texts.noServers} <a href="/nodes/new">{texts.addServer}</a>
          </Empty>
        ) : (
          <Servers servers={servers} />
        )}
      </Card>
    </>
  );
}

function Servers({ servers }: { servers: readonly FleetServer[] }) {
  const texts = useTexts(overviewTexts);
  const { number } = useFormats();
  const nothing = <span class="muted">{texts.notMeasured}</span>;
  const share = (label: string, of: FleetServer['memory']) =>
    of === null ? nothing : <UsageBar label={label} used={of.used_mb} limit={of.total_mb} unit=" MiB" />;
  return (
    <Table
      caption={texts.servers}
      headings={[texts.server, texts.state, texts.accounts, texts.cpu, texts.memory, texts.disk]}
      rows={servers.map(({ node, cpu, memory, disk }) => {
        const last = cpu.findLast((value) => value !== null);
        return [
          <a href={`/nodes/${node.id}`}>{node.name}</a>,
          <NodeState node={node} />,
          <AccountCount node={node} />,
          last === undefined || last === null ? (
            nothing
          ) : (
            <>
              <Spark name={texts.cpuOf(node.name)} values={cpu} top={100} />
              {`${number(last)} %`}
            </>
          ),
          share(texts.memory, memory),
          share(texts.disk, disk),
        ];
      })}
    />
  );
}
