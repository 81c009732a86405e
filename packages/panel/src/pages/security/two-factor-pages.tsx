import { beginTotp } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { userContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { type FormState, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, CopyButton, Secret } from '../../ui/parts.tsx';
import { aboveOf } from './above.ts';
import { QrCode } from './qr-code.tsx';
import { securityTexts } from './texts/index.ts';

/**
 * Shows a new secret for the authenticator and asks for a code. Each visit has its own secret. The form returns it
 * sealed, so the panel stores nothing before a code confirms it.
 */
export async function setUpPage(
  c: PanelContext,
  state: FormState,
  { status = 200, kept }: { status?: number; kept?: string } = {},
): Promise<Response> {
  const texts = textsFor(c, securityTexts);
  const { secret, uri, set_up } = await beginTotp(userContext(c), { kept });
  return page(
    c,
    { title: texts.setUpFactor, above: aboveOf(texts), status },
    <Card title={texts.authenticator}>
      <p>{texts.scan}</p>
      <div class="qr">
        <QrCode text={uri} label={texts.qrCode} />
      </div>
      <Secret id="totp-key" label={texts.key} text={secret} />
      <PostForm c={c} action="/security/two-factor" state={state} submit={texts.turnOn}>
        <input type="hidden" name="set_up" value={set_up} />
        <TextField
          state={{ ...state, values: {} }}
          name="code"
          label={texts.code}
          hint={texts.codeHint}
          attributes={{
            autocomplete: 'one-time-code',
            inputmode: 'numeric',
            required: true,
            spellcheck: false,
          }}
        />
      </PostForm>
    </Card>,
  );
}

/** Shows the codes once, in the response to the form that created them. */
export function recoveryCodesPage(c: PanelContext, codes: readonly string[], sentence: string): Response {
  const texts = textsFor(c, securityTexts);
  const { username = '' } = c.var.signedInAs?.user ?? {};
  const text = `${texts.codesOf(username, new URL(c.req.url).host)}\n\n${codes.join('\n')}\n`;
  return page(
    c,
    { title: texts.recoveryCodes, above: aboveOf(texts) },
    <Card title={texts.storeNow}>
      <p role="status">{sentence}</p>
      <p>{texts.storeCodes}</p>
      <ul class="codes" id="codes">
        {codes.map((code) => (
          <li>{code}</li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton of="codes" copy={texts.copyAll} />
        <a class="btn" download={texts.codesFile} href={`data:text/plain,${encodeURIComponent(text)}`}>
          {texts.download}
        </a>
        <button type="button" class="btn" data-print hidden>
          {texts.print}
        </button>
        <a class="btn btn-primary" href="/security">
          {texts.done}
        </a>
      </div>
    </Card>,
  );
}
