import { beginTotp } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { userContext } from '../../http/session.ts';
import { type FormState, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Secret } from '../../ui/parts.tsx';
import { QrCode } from './qr-code.tsx';

const above = [{ name: 'Security', path: '/security' }];

/**
 * A secret for the authenticator, and the form that shows that it has it. Each visit has a secret of its own, which
 * the form brings back, sealed: nothing is kept before a code confirms it.
 */
export async function setUpPage(
  c: PanelContext,
  state: FormState,
  { status = 200, kept }: { status?: number; kept?: string } = {},
): Promise<Response> {
  const { secret, uri, set_up } = await beginTotp(userContext(c), { kept });
  return page(
    c,
    { title: 'Set up two factor authentication', above, status },
    <Card title="Your authenticator">
      <p>
        Scan this with an authenticator app on your phone, or type the key into it. Then enter the code that
        it shows. Nothing changes before that.
      </p>
      <div class="qr">
        <QrCode text={uri} label="QR code for your authenticator app. The key below says the same." />
      </div>
      <Secret id="totp-key" label="Key" text={secret} />
      <PostForm c={c} action="/security/two-factor" state={state} submit="Turn it on">
        <input type="hidden" name="set_up" value={set_up} />
        <TextField
          state={{ ...state, values: {} }}
          name="code"
          label="Code"
          hint="The six digits that your authenticator shows now."
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

/** Shown once, in the answer to the form that made them. */
export function recoveryCodesPage(c: PanelContext, codes: readonly string[], said: string): Response {
  return page(
    c,
    { title: 'Recovery codes', above },
    <Card title="Keep these now">
      <p role="status">{said}</p>
      <p>
        Each of these codes signs you in once when your phone is not at hand. Keep them where you keep your
        passwords, or on paper: they are not shown again.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li>{code}</li>
        ))}
      </ul>
      <p>
        <a class="button main" href="/security">
          I have kept them
        </a>
      </p>
    </Card>,
  );
}
