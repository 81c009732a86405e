import type { MailRelayView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { useTexts } from '../../language/use-texts.ts';
import { type FormState, PostForm, SelectField, TextField } from '../../ui/form.tsx';
import { mailRelayTexts } from './texts/index.ts';

/** The fields of a relay. A stored password is never shown. */
export function RelayForm({
  c,
  action,
  relay,
  state,
}: {
  c: PanelContext;
  action: string;
  relay: MailRelayView | null;
  state: FormState;
}) {
  const texts = useTexts(mailRelayTexts);
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false };
  return (
    <PostForm c={c} action={action} state={state} submit={texts.save}>
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
          name="relay_password"
          label={texts.password}
          type="password"
          hint={relay?.has_password === true ? texts.passwordKept : texts.passwordHint}
          attributes={{ autocomplete: 'off' }}
        />
      </div>
      <TextField
        state={state}
        name="sender_domain"
        label={texts.senderDomain}
        hint={texts.senderDomainHint}
        attributes={plain}
      />
    </PostForm>
  );
}

export function valuesOf(relay: MailRelayView | null) {
  if (relay === null) return { port: '587', encryption: 'starttls' };
  const { host, port, encryption, username, sender_domain } = relay;
  return {
    host,
    port: String(port),
    encryption,
    username: username ?? '',
    sender_domain: sender_domain ?? '',
  };
}
