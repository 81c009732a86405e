import { beginTotp } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { userContext } from '../../http/session.ts';
import { type FormState, PostForm, TextField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Secret } from '../../ui/parts.tsx';
import { QrCode } from './qr-code.tsx';

const above = [{ name: 'Security', path: '/security' }];

/**
 * Shows a new secret for the authenticator and asks for a code. Each visit has its own secret. The form returns it
 * sealed, so the panel stores nothing before a code confirms it.
 */
export async function setUpPage(
  c: PanelContext,
  state: FormState,
  { status = 200, kept }: { status?: number; kept?: string } = {},
): Promise<Response> {
  const { secret, uri, set_up } = await beginTotp(userContext(c), { kept });
  return page(
    c,
    { title: 'Set up two-factor authentication', above, status },
    <Card title="Your authenticator">
      <p>
        Scan this QR code with an authenticator app on your phone, or type the key into the app. Then enter
        the code from the app. Two-factor authentication stays off until then.
      </p>
      <div class="qr">
        <QrCode text={uri} label="QR code for your authenticator app. The key below has the same content." />
      </div>
      <Secret id="totp-key" label="Key" text={secret} />
      <PostForm c={c} action="/security/two-factor" state={state} submit="Turn on">
        <input type="hidden" name="set_up" value={set_up} />
        <TextField
          state={{ ...state, values: {} }}
          name="code"
          label="Code"
          hint="The current six digits from your authenticator app."
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
  return page(
    c,
    { title: 'Recovery codes', above },
    <Card title="Store these codes now">
      <p role="status">{sentence}</p>
      <p>
        Each code works for one sign-in without your phone. Store the codes with your passwords or on paper.
        The panel does not show them again.
      </p>
      <ul class="codes">
        {codes.map((code) => (
          <li>{code}</li>
        ))}
      </ul>
      <p>
        <a class="btn btn-primary" href="/security">
          Done
        </a>
      </p>
    </Card>,
  );
}
