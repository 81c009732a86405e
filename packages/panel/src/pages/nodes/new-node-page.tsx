import type { JoinSecret, NodeView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { textsFor } from '../../language/language.ts';
import { freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Moment, Secret } from '../../ui/parts.tsx';
import { nodesTexts } from './texts/index.ts';

/** The form that adds a server. */
export function newNodePage(c: PanelContext, refused?: Refused): Response {
  const texts = textsFor(c, nodesTexts);
  const state = refused ?? freshForm();
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true };
  return page(
    c,
    { title: texts.add, above: [{ name: texts.title, path: '/nodes' }], status: refused?.status ?? 200 },
    <Card title={texts.newServer}>
      <PostForm c={c} action="/nodes/new" state={state} submit={texts.add}>
        <TextField state={state} name="name" label={texts.name} hint={texts.nameHint} attributes={plain} />
        <TextField
          state={state}
          name="address"
          label={texts.address}
          hint={texts.addressHint}
          attributes={plain}
        />
      </PostForm>
    </Card>,
  );
}

/** The join command. Only the response to the form shows it, never again. */
export function joinPage(
  c: PanelContext,
  { node, secret, expires_at }: { node: NodeView } & JoinSecret,
): Response {
  const texts = textsFor(c, nodesTexts);
  const { control, tokenFor } = c.var.deps.join;
  const token = tokenFor(node.name, secret);
  return page(
    c,
    {
      title: texts.joinTitle(node.name),
      above: [
        { name: texts.title, path: '/nodes' },
        { name: node.name, path: `/nodes/${node.id}` },
      ],
    },
    <Card title={texts.joinCard}>
      <p>{texts.joinHelp(<Moment at={expires_at} />)}</p>
      <Secret
        id="join-command"
        label={texts.joinCommand}
        text={`./install.sh --control ${control} --join-token-file - <<< '${token}'`}
      />
      <p>
        <a class="btn" href={`/nodes/${node.id}`}>
          {texts.goToServer}
        </a>
      </p>
    </Card>,
  );
}
