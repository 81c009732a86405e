import type { Fleet, FleetServer } from '@innkeeper/services';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Chart, Spark } from '../../ui/chart/chart.tsx';
import { Card, Empty, Table, UsageBar } from '../../ui/parts.tsx';
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
          <dl class="stats stats-2">
            <Figure name={texts.online} value={texts.ofAll(number(counts.online), number(counts.total))} />
            <Figure name={texts.warnings} value={number(counts.with_warnings)} />
            <Figure name={texts.failing} value={number(counts.failing_accounts)} />
            <Figure name={texts.requests} value={number(sumOfRequests(traffic))} />
          </dl>
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

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div class="stat">
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function sumOfRequests(traffic: Fleet['traffic']): number {
  return traffic.reduce((sum, { figures }) => sum + (figures?.requests ?? 0), 0);
}

function Servers({ servers }: { servers: readonly FleetServer[] }) {
  const texts = useTexts(overviewTexts);
  const { number } = useFormats();
  const nothing = <span class="muted">{texts.notMeasured}</span>;
  const share = (label: string, of: FleetServer['memory']) =>
    of === null ? (
      nothing
    ) : (
      <UsageBar label={label} used={of.used_mb} limit={of.total_mb} unit=" MiB" isLabelled />
    );
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
