import { getMailSettings, listMails, type MailItem, type MailSettings } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import {
  ButtonForm,
  CheckField,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  SelectField,
  TextField,
} from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Empty, Live, Moment, Table } from '../../ui/parts.tsx';
import { mailTexts } from './texts/index.ts';

export async function mailPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, mailTexts);
  const [settings, mails] = await Promise.all([getMailSettings(ctx), listMails(ctx)]);
  return page(
    c,
    { title: texts.title, status: refused?.status ?? 200 },
    <>
      <p class="muted">{texts.about}</p>
      <Settings c={c} settings={settings} state={refused ?? freshForm(formOf(settings))} />
      {settings === null ? null : (
        <Card title={texts.test}>
          <p>{texts.testAbout}</p>
          <ButtonForm c={c} action="/mail/test" submit={texts.testSend} />
        </Card>
      )}
      <Card title={texts.outbox}>
        <Live id="outbox" busy={mails.some(({ state }) => state === 'waiting')} path="/mail" everyS={5}>
          <Outbox mails={mails} />
        </Live>
      </Card>
      {settings === null ? null : (
        <Card title={texts.remove}>
          <p>{texts.removeAbout}</p>
          <Confirm c={c} action="/mail/remove" ask={texts.removeAsk} submit={texts.remove}>
            <p>{texts.removeConsequence}</p>
          </Confirm>
        </Card>
      )}
    </>,
  );
}

function formOf(settings: MailSettings | null) {
  if (settings === null) return { port: '587', encryption: 'starttls' };
  const { welcomes_api_accounts, username, ...values } = settings;
  return { ...values, username: username ?? '', welcomes_api_accounts: welcomes_api_accounts ? '1' : '0' };
}

function Settings({
  c,
  settings,
  state,
}: {
  c: PanelContext;
  settings: MailSettings | null;
  state: FormState;
}) {
  const texts = useTexts(mailTexts);
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false };
  return (
    <Card title={texts.server}>
      <PostForm c={c} action="/mail" state={state} submit={texts.save}>
        <div class="half">
          <TextField
            state={state}
            name="host"
            label={texts.host}
            hint={texts.hostHint}
            attributes={{ ...plain, required: true }}
          />
          <TextField
            state={state}
            name="port"
            label={texts.port}
            hint={texts.portHint(c.var.deps.smtpPorts.join(', '))}
            attributes={{ ...plain, required: true, inputmode: 'numeric' }}
          />
        </div>
        <SelectField
          state={state}
          name="encryption"
          label={texts.encryption}
          options={(['starttls', 'tls', 'none'] as const).map(
            (name) => [name, texts.encryptions[name]] as const,
          )}
        />
        <div class="half">
          <TextField
            state={state}
            name="username"
            label={texts.username}
            hint={texts.usernameHint}
            attributes={plain}
          />
          <TextField
            state={state}
            name="smtp_password"
            label={texts.password}
            type="password"
            hint={settings?.has_password === true ? texts.passwordKept : texts.passwordHint}
            attributes={{ autocomplete: 'off' }}
          />
        </div>
        <div class="half">
          <TextField
            state={state}
            name="sender_name"
            label={texts.senderName}
            attributes={{ required: true, maxlength: 100 }}
          />
          <TextField
            state={state}
            name="sender_address"
            label={texts.senderAddress}
            type="email"
            attributes={{ ...plain, required: true }}
          />
        </div>
        <CheckField
          state={state}
          name="welcomes_api_accounts"
          label={texts.welcomesApi}
          hint={texts.welcomesApiHint}
        />
      </PostForm>
    </Card>
  );
}

const tones = { waiting: 'busy', sent: 'good', failed: 'bad', dropped: 'plain' } as const;

function Outbox({ mails }: { mails: readonly MailItem[] }) {
  const texts = useTexts(mailTexts);
  if (mails.length === 0) return <Empty>{texts.none}</Empty>;
  return (
    <Table
      caption={texts.outbox}
      headings={[texts.kind, texts.user, texts.state, texts.attempts, texts.created]}
      rows={mails.map((mail) => [
        texts.kindNames[mail.kind],
        mail.username ?? mail.typed_name ?? '',
        <>
          <Badge tone={tones[mail.state]}>{texts.states[mail.state]}</Badge>
          {mail.outcome === null ? null : <div class="muted">{mail.outcome}</div>}
          {mail.state === 'waiting' && mail.attempts > 0 ? (
            <div class="muted">
              {texts.next} <Moment at={mail.next_attempt_at} />
            </div>
          ) : null}
        </>,
        String(mail.attempts),
        <Moment at={mail.created_at} />,
      ])}
    />
  );
}
