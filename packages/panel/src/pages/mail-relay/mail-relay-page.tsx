import {
  findRelayTest,
  getMailRelay,
  getNode,
  getProfile,
  listNodes,
  type MailRelayView,
  type NodeView,
  type RelayTest,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { operatorContext, userContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts, useTranslate } from '../../language/use-texts.ts';
import { Confirm, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Empty, Live, Moment, Notice, Table } from '../../ui/parts.tsx';
import { RelayForm, valuesOf } from './relay-form.tsx';
import { mailRelayTexts } from './texts/index.ts';

/** The relay of the installation, and how it is on each server. */
export async function relayPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, mailRelayTexts);
  const [{ relay, own_relays }, nodes] = await Promise.all([getMailRelay(ctx, {}), listNodes(ctx)]);
  const isBusy = nodes.some((node) => node.online && !isSettled(node));
  return page(
    c,
    { title: texts.title, status: refused?.status ?? 200 },
    <>
      <p class="muted">{texts.about}</p>
      {relay === null ? <Notice tone="warn">{texts.none}</Notice> : null}
      <Card title={texts.relay}>
        <RelayForm c={c} action="/mail-relay" relay={relay} state={refused ?? freshForm(valuesOf(relay))} />
      </Card>
      <Card title={texts.servers}>
        <Live id="relay-servers" busy={isBusy} path="/mail-relay" everyS={3}>
          <Servers nodes={nodes} own={new Set(own_relays)} hasRelay={relay !== null} />
        </Live>
      </Card>
      <Remove c={c} relay={relay} action="/mail-relay/remove" about={texts.removeAbout} />
    </>,
  );
}

/** The relay of one server, if it has one of its own, and a test mail over the relay that it uses. */
export async function nodeRelayPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, mailRelayTexts);
  const id = recordId(c);
  const [node, { relay, inherited }, test, to] = await Promise.all([
    getNode(ctx, { node: id }),
    getMailRelay(ctx, { node: id }),
    findRelayTest(ctx, { node: id }),
    ownAddress(c),
  ]);
  const path = `/nodes/${id}/mail-relay`;
  const isTest = refused !== undefined && c.req.path.endsWith('/test');
  const used = relay ?? inherited;
  return page(
    c,
    {
      title: texts.titleOf(node.name),
      above: [
        { name: texts.nodes, path: '/nodes' },
        { name: node.name, path: `/nodes/${id}` },
      ],
      status: refused?.status ?? 200,
    },
    <>
      <p class="muted">
        {used === null ? texts.none : relay === null ? texts.inherits(used.host) : texts.hasOwn(used.host)}
      </p>
      {used === null ? null : (
        <Card title={texts.test}>
          <p>{texts.testAbout}</p>
          <PostForm
            c={c}
            action={`${path}/test`}
            state={isTest ? refused : freshForm({ to })}
            submit={texts.testSend}
          >
            <TextField
              state={isTest ? refused : freshForm({ to })}
              name="to"
              label={texts.testTo}
              type="email"
              attributes={{ required: true, autocomplete: 'email' }}
            />
          </PostForm>
          <Live id="relay-test" busy={isUnderWay(test)} path={path} everyS={2}>
            <TestResult test={test} node={node} />
          </Live>
        </Card>
      )}
      <Card title={texts.ownRelay}>
        <p class="muted">{texts.ownAbout}</p>
        <RelayForm
          c={c}
          action={path}
          relay={relay}
          state={refused !== undefined && !isTest ? refused : freshForm(valuesOf(relay))}
        />
      </Card>
      <Remove c={c} relay={relay} action={`${path}/remove`} about={texts.removeOwnAbout} />
    </>,
  );
}

async function ownAddress(c: PanelContext): Promise<string> {
  return (await getProfile(userContext(c))).email;
}

function Remove({
  c,
  relay,
  action,
  about,
}: {
  c: PanelContext;
  relay: MailRelayView | null;
  action: string;
  about: string;
}) {
  const texts = useTexts(mailRelayTexts);
  if (relay === null) return null;
  return (
    <Card title={texts.remove}>
      <p>{about}</p>
      <Confirm c={c} action={action} ask={texts.removeAsk} submit={texts.remove}>
        <p>{texts.removeConsequence}</p>
      </Confirm>
    </Card>
  );
}

const isSettled = ({ settings }: NodeView) => settings.is_newest && settings.problem === '';
const isUnderWay = (test: RelayTest | undefined) => test?.state === 'waiting' || test?.state === 'deferred';

function Servers({
  nodes,
  own,
  hasRelay,
}: {
  nodes: readonly NodeView[];
  own: ReadonlySet<number>;
  hasRelay: boolean;
}) {
  const texts = useTexts(mailRelayTexts);
  const { number } = useFormats();
  if (nodes.length === 0) return <Empty>{texts.noServers}</Empty>;
  return (
    <Table
      caption={texts.servers}
      headings={[texts.server, texts.uses, texts.state, texts.queue, '']}
      rows={nodes.map((node) => [
        <a href={`/nodes/${node.id}`}>{node.name}</a>,
        own.has(node.id) ? texts.ownOne : hasRelay ? texts.ofInstallation : texts.noneShort,
        <State node={node} />,
        node.mail === null ? '–' : number(node.mail.queued),
        <a href={`/nodes/${node.id}/mail-relay`}>{texts.testAndSettings}</a>,
      ])}
    />
  );
}

function State({ node }: { node: NodeView }) {
  const texts = useTexts(mailRelayTexts);
  const translate = useTranslate();
  if (!node.online) return <Badge tone="plain">{texts.offline}</Badge>;
  if (isSettled(node)) return <Badge tone="good">{texts.applied}</Badge>;
  if (!node.settings.is_newest) return <Badge tone="busy">{texts.applying}</Badge>;
  return (
    <>
      <Badge tone="bad">{texts.notApplied}</Badge>
      <div class="muted">{translate(node.settings.problem)}</div>
    </>
  );
}

const tones = {
  none: 'plain',
  'no-relay': 'bad',
  waiting: 'busy',
  sent: 'good',
  deferred: 'warn',
  refused: 'bad',
  failed: 'bad',
} as const;

function TestResult({ test, node }: { test: RelayTest | undefined; node: NodeView }) {
  const texts = useTexts(mailRelayTexts);
  const translate = useTranslate();
  if (test === undefined) return <p class="muted">{texts.noAnswer(node.name)}</p>;
  if (test.to === null || test.sent_at === null) return <p class="muted">{texts.noTest}</p>;
  return (
    <>
      <p>
        <Badge tone={tones[test.state]}>{texts.testStates[test.state]}</Badge> {test.to},{' '}
        <Moment at={new Date(test.sent_at)} />
      </p>
      {test.answer === '' ? null : <p class="muted">{texts.answer(translate(test.answer))}</p>}
    </>
  );
}
