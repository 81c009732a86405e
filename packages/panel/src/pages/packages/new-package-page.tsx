import type { PackageLimits } from '@innkeeper/domain';
import { type CreatePackageInput, getPackageDetails, listResellers } from '@innkeeper/services';
import type { Form, PanelContext } from '../../env.ts';
import { numberOf, type Refused, textOf, wrongFields } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { CheckField, freshForm, PostForm, TextField } from '../../ui/form.tsx';
import {
  LimitFields,
  type LimitName,
  packageFields,
  unlimitedOf,
  unlimitedRates,
} from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card } from '../../ui/parts.tsx';
import { valuesOf } from './edit-package-page.tsx';
import { packageTexts } from './texts/index.ts';

/** The form that creates a package. */
export async function newPackagePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const state = refused ?? freshForm(await valuesOfCopied(c));
  const isAdmin = ctx.actor.role === 'admin';
  const resellers = isAdmin ? await listResellers(ctx) : [];
  return page(
    c,
    {
      title: 'Create a package',
      above: [{ name: 'Packages', path: '/packages' }],
      status: refused?.status ?? 200,
    },
    <Card title="New package">
      <PostForm c={c} action="/packages/new" state={state} submit="Create the package">
        <TextField state={state} name="name" label="Name" attributes={{ required: true }} />
        <TextField
          state={state}
          name="slug"
          label="Short name"
          hint="Lowercase letters, digits and dashes. Leave it empty to derive it from the name."
          attributes={{ autocapitalize: 'none', spellcheck: false }}
        />
        <fieldset>
          <legend>Limits of each account</legend>
          <LimitFields state={state} fields={packageFields} />
        </fieldset>
        <CheckField state={state} name="terminal_access" label="Terminal access" />
        {isAdmin ? (
          <>
            <CheckField
              state={state}
              name="smtp_port_25"
              label="Outgoing SMTP (port 25)"
              hint="Accounts can send mail to any server, spam included. Sending by a mail provider (ports 465 and 587) needs no permission."
            />
            <CheckField
              state={state}
              name="is_internal"
              label="Internal package for accounts with custom limits"
              hint="Hidden from the lists of packages for sale. Accounts with custom limits take their maximum number of cron jobs from it."
            />
            {resellers.length === 0 ? null : (
              <fieldset>
                <legend>Resellers who can sell it</legend>
                {resellers.map(({ username }) => (
                  <CheckField state={state} name="resellers[]" value={username} label={username} />
                ))}
              </fieldset>
            )}
          </>
        ) : null}
      </PostForm>
    </Card>,
  );
}

/** The values of the package that is copied, with another name. Resellers who can sell it are copied too. */
async function valuesOfCopied(c: PanelContext): Promise<Form> {
  const id = c.req.query('copy') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(id)) return unlimitedRates;
  const copied = await getPackageDetails(operatorContext(c), { package_id: Number(id) });
  return {
    ...valuesOf(copied),
    name: textsFor(c, packageTexts).copyName(copied.name),
    slug: '',
    smtp_port_25: copied.smtp_port_25 ? '1' : '',
    is_internal: copied.is_internal ? '1' : '',
    resellers: copied.assigned_resellers,
  };
}

/** Reads the form. Throws `invalid` if a field with the option Unlimited has neither a number nor that option. */
export function packageOf(c: PanelContext): CreatePackageInput {
  const { form, refused } = unlimitedOf(c.var.form, packageFields.unlimitable);
  if (Object.keys(refused).length > 0) throw wrongFields(c, refused);
  const slug = textOf(form, 'slug');
  const isAdmin = operatorContext(c).actor.role === 'admin';
  const number = (limit: LimitName) => (form[limit] === null ? null : numberOf(form, limit));
  return {
    name: textOf(form, 'name'),
    ...(slug === '' ? {} : { slug }),
    ...(Object.fromEntries(packageFields.all.map((limit) => [limit, number(limit)])) as PackageLimits),
    terminal_access: form.terminal_access === '1',
    ...(isAdmin
      ? {
          smtp_port_25: form.smtp_port_25 === '1',
          is_internal: form.is_internal === '1',
          resellers: namesOf(form.resellers),
        }
      : {}),
  };
}

function namesOf(value: Form[string]): string[] {
  return (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string');
}
