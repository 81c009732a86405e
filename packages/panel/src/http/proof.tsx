import { getProfile, isProven, proveSession } from '@innkeeper/services';
import type { MiddlewareHandler } from 'hono';
import type { PanelContext, PanelEnv } from '../env.ts';
import { textsFor } from '../language/language.ts';
import { type FormState, freshForm, PostForm } from '../ui/form.tsx';
import { page } from '../ui/page.tsx';
import { Card } from '../ui/parts.tsx';
import { CodeField, CurrentPasswordField } from '../ui/person-fields.tsx';
import { carriedFields } from './carried-fields.ts';
import { CSRF_FIELD } from './csrf.ts';
import { rawTextOf, submit, textOf } from './form.ts';
import { userContext } from './session.ts';
import { httpTexts } from './texts/index.ts';

/** Names of the proof's fields. No other form uses them. */
const PASSWORD = 'proof_password';
const CODE = 'proof_code';

/**
 * Protects sensitive actions against a stolen session: the user enters the password or a code again, unless the last
 * time was within 10 minutes. The page carries the fields of the original form, so that one submit does both. It does
 * not carry passwords: the user enters them again. Place it after a guard of `session.ts`.
 */
export const proven: MiddlewareHandler<PanelEnv> = async (c, next) => {
  const { signedInAs, deps, form } = c.var;
  if (signedInAs !== undefined && isProven(signedInAs, deps.now())) return await next();
  if (form[PASSWORD] === undefined && form[CODE] === undefined) return await proofPage(c, freshForm(), 403);
  const refused = await submit(
    c,
    async () => {
      const current_password = rawTextOf(form, PASSWORD);
      await proveSession(userContext(c), { current_password, code: textOf(form, CODE) });
      return PROVEN;
    },
    async ({ status, errors, message }) => {
      const { current_password = [], code = [] } = errors;
      return await proofPage(
        c,
        { values: {}, errors: { [PASSWORD]: current_password, [CODE]: code }, message },
        status,
      );
    },
  );
  if (refused !== PROVEN) return refused;
  await next();
};

const PROVEN = new Response(null, { status: 204 });

async function proofPage(c: PanelContext, state: FormState, status: number): Promise<Response> {
  const texts = textsFor(c, httpTexts);
  const { second_factor } = await getProfile(userContext(c));
  const { pathname, search } = new URL(c.req.url);
  const carried = carriedFields(c.var.form, [CSRF_FIELD, PASSWORD, CODE]);
  const isAskedForCode = second_factor !== null;
  return page(
    c,
    { title: texts.proof, status },
    <Card title={isAskedForCode ? texts.proofCode : texts.proofPassword}>
      <p>{isAskedForCode ? texts.codeAgain : texts.passwordAgain}</p>
      <PostForm c={c} action={pathname + search} state={state} submit={texts.confirm}>
        {carried.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {isAskedForCode ? (
          <CodeField state={state} name={CODE} />
        ) : (
          <CurrentPasswordField state={state} name={PASSWORD} label={texts.proofPassword} />
        )}
      </PostForm>
    </Card>,
  );
}
