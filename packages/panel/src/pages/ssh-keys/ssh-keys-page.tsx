import { getFtpAccess, getSshAccess, type SshAccess, type SshKeyView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { Confirm, freshForm, PostForm, TextAreaField, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Copyable, Empty, Moment, Notice, Table } from '../../ui/parts.tsx';
import { FtpLogins } from '../ftp/ftp-logins.tsx';
import { sshKeyTexts } from './texts/index.ts';

const HOW_TO_MAKE_KEYS = 'ssh-keygen -t ed25519';

/** The address of the server, the additional logins of the account, and the public keys that may log in. */
export async function sshKeysPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = customerContext(c);
  const of = { account_id: ctx.actor.accountId };
  const [access, ftp] = await Promise.all([getSshAccess(ctx, of), getFtpAccess(ctx, of)]);
  return page(
    c,
    { title: textsFor(c, sshKeyTexts).title, status: refused?.status ?? 200 },
    <>
      <FtpLogins c={c} access={ftp} />
      <Login access={access} />
      <Keys c={c} keys={access.keys} />
      <NewKey c={c} access={access} refused={refused} />
    </>,
  );
}

function Login({ access: { is_allowed, user, address } }: { access: SshAccess }) {
  const texts = useTexts(sshKeyTexts);
  if (!is_allowed) return <Notice>{texts.notAllowed}</Notice>;
  const host = address.includes(':') ? `[${address}]` : address;
  return (
    <Card title={texts.logIn}>
      <Copyable id="ssh-command" label={texts.command} text={`ssh ${user}@${address}`} />
      <Copyable id="sftp-address" label={texts.sftp} text={`sftp://${user}@${host}`} />
      <p class="muted">{texts.password(<a href="/security">{texts.passwordLink}</a>)}</p>
    </Card>
  );
}

function Keys({ c, keys }: { c: PanelContext; keys: readonly SshKeyView[] }) {
  const texts = useTexts(sshKeyTexts);
  return (
    <Card title={texts.keys}>
      {keys.length === 0 ? (
        <Empty>{texts.none}</Empty>
      ) : (
        <Table
          caption={texts.keys}
          headings={[texts.name, texts.type, texts.fingerprint, texts.added, '']}
          rows={keys.map(({ id, name, type, fingerprint, created_at }) => [
            name,
            <code>{type}</code>,
            <code>{fingerprint}</code>,
            <Moment at={created_at} />,
            <Confirm
              c={c}
              action={`/ssh-keys/${id}/remove`}
              ask={texts.remove}
              submit={texts.removeNow(name)}
            >
              <p>{texts.removeWarning}</p>
            </Confirm>,
          ])}
        />
      )}
    </Card>
  );
}

function NewKey({
  c,
  access: { keys, limit },
  refused,
}: {
  c: PanelContext;
  access: SshAccess;
  refused: Refused | undefined;
}) {
  const texts = useTexts(sshKeyTexts);
  const { number } = useFormats();
  if (keys.length >= limit && refused === undefined) return <Notice>{texts.full(number(limit))}</Notice>;
  const state = refused ?? freshForm();
  return (
    <Card title={texts.addOne}>
      <PostForm c={c} action="/ssh-keys" state={state} submit={texts.add}>
        <TextAreaField
          state={state}
          name="public_key"
          label={texts.publicKey}
          hint={texts.publicKeyHint(<code>{HOW_TO_MAKE_KEYS}</code>)}
          attributes={{ required: true, rows: 4, spellcheck: 'false', autocapitalize: 'none' }}
        />
        <TextField
          state={state}
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          attributes={{ maxlength: 64 }}
        />
      </PostForm>
    </Card>
  );
}
