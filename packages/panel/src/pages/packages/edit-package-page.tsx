import type { PackageLimits } from '@innkeeper/domain';
import {
  type ChangePackageInput,
  getPackageDetails,
  type OperatorPackageView,
  type PackageChangePreview,
  previewPackageChange,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { numberOf, type Refused, textOf, wrongFields } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { CheckField, type FormState, freshForm, PostForm, SelectField, TextField } from '../../ui/form.tsx';
import {
  LimitFields,
  type LimitName,
  limitNamed,
  limitText,
  limitValues,
  packageFields,
  unlimitedOf,
} from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Notice, Table } from '../../ui/parts.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { packageTexts } from './texts/index.ts';

/** The form that changes a package. */
export async function editPackagePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const details = await getPackageDetails(operatorContext(c), { package_id: recordId(c) });
  const texts = textsFor(c, packageTexts);
  // The choice is a field of the second step, whose refusal has to be visible here.
  const atAccounts = refused?.errors.accounts?.join(' ');
  const state = refused === undefined ? freshForm(valuesOf(details)) : withMessage(refused, atAccounts);
  return page(
    c,
    {
      title: texts.editTitle(details.name),
      above: aboveOf(details, texts.packages),
      status: refused?.status ?? 200,
    },
    <EditForm c={c} details={details} state={state} />,
  );
}

function withMessage(refused: Refused, message: string | undefined): FormState {
  return message === undefined ? refused : { ...refused, message };
}

function aboveOf({ id, name }: OperatorPackageView, packages: string) {
  return [
    { name: packages, path: '/packages' },
    { name, path: `/packages/${id}` },
  ];
}

function EditForm({
  c,
  details,
  state,
}: {
  c: PanelContext;
  details: OperatorPackageView;
  state: FormState;
}) {
  const texts = useTexts(packageTexts);
  const formats = useFormats();
  const { id, accounts } = details;
  return (
    <Card title={details.name}>
      {accounts === 0 ? null : (
        <Notice>
          {texts.accounts(formats.number(accounts), accounts === 1)} {texts.accountsHint}
        </Notice>
      )}
      <PostForm c={c} action={`/packages/${id}/edit`} state={state} submit={texts.save}>
        <TextField state={state} name="name" label={texts.name} attributes={{ required: true }} />
        <TextField
          state={state}
          name="slug"
          label={texts.shortName}
          hint={texts.shortNameHint}
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
      </PostForm>
    </Card>
  );
}

/**
 * The second step, if the accounts of the package can follow: what changes for them, and whether they follow.
 * Undefined: nothing is to be asked, or it was answered.
 */
export async function askAboutAccounts(
  c: PanelContext,
  input: ChangePackageInput,
): Promise<Response | undefined> {
  if (textOf(c.var.form, 'accounts') !== '') return undefined;
  const ctx = operatorContext(c);
  const package_id = recordId(c);
  const preview = await previewPackageChange(ctx, { ...input, package_id });
  if (preview.accounts === 0 || (preview.limits.length === 0 && preview.terminal_access === null))
    return undefined;
  const details = await getPackageDetails(ctx, { package_id });
  const texts = textsFor(c, packageTexts);
  return page(
    c,
    { title: texts.whatChanges, above: aboveOf(details, texts.packages) },
    <Ask c={c} details={details} preview={preview} />,
  );
}

function Ask({
  c,
  details,
  preview,
}: {
  c: PanelContext;
  details: OperatorPackageView;
  preview: PackageChangePreview;
}) {
  const texts = useTexts(packageTexts);
  const formats = useFormats();
  const { accounts, limits, terminal_access } = preview;
  const yesOrNo = (value: boolean) => (value ? texts.yes : texts.no);
  const state = freshForm({ accounts: 'follow' });
  return (
    <Card title={texts.whatChanges}>
      <p>{texts.accounts(formats.number(accounts), accounts === 1)}</p>
      <Table
        caption={texts.whatChanges}
        headings={[texts.limit, texts.before, texts.after, texts.follow]}
        rows={[
          ...limits.map(({ limit, from, to, accounts: following }) => [
            limitNamed(limit).label,
            limitText(limit, from),
            limitText(limit, to),
            formats.number(following),
          ]),
          ...(terminal_access === null
            ? []
            : [[texts.terminal, yesOrNo(terminal_access.from), yesOrNo(terminal_access.to), '']]),
        ]}
      />
      <p class="muted">{texts.ownValues}</p>
      <PostForm c={c} action={`/packages/${details.id}/edit`} state={state} submit={texts.saveAll}>
        {Object.entries(c.var.form).map(([name, value]) =>
          typeof value === 'string' && /^[a-z_]+$/.test(name) && name !== '_csrf' ? (
            <input type="hidden" name={name} value={value} />
          ) : null,
        )}
        <SelectField
          state={state}
          name="accounts"
          label={texts.ask}
          hint={texts.followHint}
          options={[
            ['follow', texts.choices.follow],
            ['keep', texts.choices.keep],
          ]}
        />
      </PostForm>
      <p>
        <a href={`/packages/${details.id}`}>{texts.back}</a>
      </p>
    </Card>
  );
}

/** Reads the form. Throws `invalid` for a limit that has neither a number nor the checkbox for unlimited. */
export function changeOf(c: PanelContext): ChangePackageInput {
  const { form, refused } = unlimitedOf(c.var.form, packageFields.unlimitable, textsFor(c, uiTexts));
  if (Object.keys(refused).length > 0) throw wrongFields(c, refused);
  const slug = textOf(form, 'slug');
  const number = (limit: LimitName) => (form[limit] === null ? null : numberOf(form, limit));
  return {
    name: textOf(form, 'name'),
    ...(slug === '' ? {} : { slug }),
    ...(Object.fromEntries(packageFields.all.map((limit) => [limit, number(limit)])) as PackageLimits),
    terminal_access: form.terminal_access === '1',
    ...(textOf(form, 'max_ftp_logins') === '' ? {} : { max_ftp_logins: numberOf(form, 'max_ftp_logins') }),
    // The preview does not depend on it.
    accounts: textOf(form, 'accounts') === 'follow' ? 'follow' : 'keep',
  };
}

/** The values of the fields for an existing package. */
export function valuesOf(shown: OperatorPackageView): FormState['values'] {
  return {
    name: shown.name,
    slug: shown.slug,
    ...limitValues(Object.fromEntries(packageFields.all.map((limit) => [limit, shown[limit]]))),
    terminal_access: shown.terminal_access ? '1' : '',
    max_ftp_logins: shown.max_ftp_logins,
  };
}
