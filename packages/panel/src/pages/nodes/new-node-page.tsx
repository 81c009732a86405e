import type { JoinSecret, NodeView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { freshForm, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Moment, Secret } from '../../ui/parts.tsx';

const servers = { name: 'Servers', path: '/nodes' };

/** The form that adds a server. */
export function newNodePage(c: PanelContext, refused?: Refused): Response {
  const state = refused ?? freshForm();
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true };
  return page(
    c,
    { title: 'Add a server', above: [servers], status: refused?.status ?? 200 },
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
export function joinPage(
  c: PanelContext,
  { node, secret, expires_at }: { node: NodeView } & JoinSecret,
): Response {
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
        <a class="btn" href={`/nodes/${node.id}`}>
          Go to the server
        </a>
      </p>
    </Card>,
  );
}
