import { FTP_LOGINS_DEFAULT_LIMIT, type MailLimits, mailLimits, type PackageLimits } from '@innkeeper/domain';
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
import { uiTexts } from '../../ui/texts/index.ts';
import { valuesOf } from './edit-package-page.tsx';
import { MailFields } from './mail-fields.tsx';
import { packageTexts } from './texts/index.ts';

/** The form that creates a package. */
export async function newPackagePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, packageTexts);
  const ctx = operatorContext(c);
  const state = refused ?? freshForm(await valuesOfCopied(c));
  const isAdmin = ctx.actor.role === 'admin';
  const resellers = isAdmin ? await listResellers(ctx) : [];
  return page(
    c,
    {
      title: texts.create,
      above: [{ name: texts.packages, path: '/packages' }],
      status: refused?.status ?? 200,
    },
    <Card title={texts.newPackage}>
      <PostForm c={c} action="/packages/new" state={state} submit={texts.create}>
        <TextField state={state} name="name" label={texts.name} attributes={{ required: true }} />
        <TextField
          state={state}
          name="slug"
          label={texts.shortName}
          hint={texts.newShortNameHint}
          attributes={{ autocapitalize: 'none', spellcheck: false }}
        />
        <fieldset>
          <legend>{texts.limits}</legend>
          <LimitFields state={state} fields={packageFields} />
          <TextField
            state={state}
            name="max_ftp_logins"
            label={texts.ftpLogins}
            hint={texts.ftpLoginsHint}
            attributes={{ inputmode: 'numeric', autocomplete: 'off', required: true }}
          />
        </fieldset>
        <CheckField state={state} name="terminal_access" label={texts.terminal} />
        {isAdmin ? (
          <>
            <fieldset>
              <legend>{texts.mail}</legend>
              <MailFields state={state} />
            </fieldset>
            <CheckField state={state} name="smtp_port_25" label={texts.smtp} hint={texts.smtpHint} />
            <CheckField
              state={state}
              name="is_internal"
              label={texts.internalPackage}
              hint={texts.internalHint}
            />
            {resellers.length === 0 ? null : (
              <fieldset>
                <legend>{texts.sellers}</legend>
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

const initialMail = {
  mail_per_hour: String(mailLimits.mail_per_hour.initial),
  mail_per_day: String(mailLimits.mail_per_day.initial),
};

/** The values of the package that is copied, with another name. Resellers who can sell it are copied too. */
async function valuesOfCopied(c: PanelContext): Promise<Form> {
  const id = c.req.query('copy') ?? '';
  if (!/^[1-9]\d{0,14}$/.test(id))
    return { ...unlimitedRates, max_ftp_logins: FTP_LOGINS_DEFAULT_LIMIT, ...initialMail };
  const copied = await getPackageDetails(operatorContext(c), { package_id: Number(id) });
  return {
    ...valuesOf(copied),
    name: textsFor(c, packageTexts).copyName(copied.name),
    slug: '',
    smtp_port_25: copied.smtp_port_25 ? '1' : '',
    mail_per_hour: String(copied.mail_per_hour),
    mail_per_day: String(copied.mail_per_day),
    is_internal: copied.is_internal ? '1' : '',
    resellers: copied.assigned_resellers,
  };
}

/** Reads the form. Throws `invalid` if a field with the option Unlimited has neither a number nor that option. */
export function packageOf(c: PanelContext): CreatePackageInput {
  const { form, refused } = unlimitedOf(c.var.form, packageFields.unlimitable, textsFor(c, uiTexts));
  if (Object.keys(refused).length > 0) throw wrongFields(c, refused);
  const slug = textOf(form, 'slug');
  const isAdmin = operatorContext(c).actor.role === 'admin';
  const number = (limit: LimitName) => (form[limit] === null ? null : numberOf(form, limit));
  return {
    name: textOf(form, 'name'),
    ...(slug === '' ? {} : { slug }),
    ...(Object.fromEntries(packageFields.all.map((limit) => [limit, number(limit)])) as PackageLimits),
    terminal_access: form.terminal_access === '1',
    ...(textOf(form, 'max_ftp_logins') === '' ? {} : { max_ftp_logins: numberOf(form, 'max_ftp_logins') }),
    ...(isAdmin
      ? {
          smtp_port_25: form.smtp_port_25 === '1',
          ...mailOf(form),
          is_internal: form.is_internal === '1',
          resellers: namesOf(form.resellers),
        }
      : {}),
  };
}

/** An empty field means the default. */
function mailOf(form: Form): Partial<MailLimits> {
  const names = (['mail_per_hour', 'mail_per_day'] as const).filter((name) => textOf(form, name) !== '');
  return Object.fromEntries(names.map((name) => [name, numberOf(form, name)]));
}

function namesOf(value: Form[string]): string[] {
  return (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string');
}
