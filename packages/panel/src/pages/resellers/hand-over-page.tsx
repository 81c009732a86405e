import { DomainError } from '@innkeeper/domain';
import {
  deleteReseller,
  getEstate,
  type HandOverPreview,
  handOverAccounts,
  listResellers,
  previewHandOver,
  type ResellerView,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { type Refused, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts, useTranslate } from '../../language/use-texts.ts';
import { CheckField, type FormState, freshForm, PostForm, SelectField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Notice } from '../../ui/parts.tsx';
import { resellerName } from './reseller-page.tsx';
import { resellerTexts } from './texts/index.ts';

/** Hands over the accounts of a reseller and deletes it. Without accounts it can only be deleted. */
export async function handOverPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, resellerTexts);
  const ctx = operatorContext(c);
  const name = resellerName(c);
  const all = await listResellers(ctx);
  const found = all.find(({ username }) => username === name);
  if (found === undefined) throw new DomainError('not_found', texts.missing);
  const others = all.filter(({ username, disabled_at }) => username !== name && disabled_at === null);
  const estate = await getEstate(ctx, { reseller: name });
  const state = refused ?? freshForm({ unused_packages: 'keep' });
  const props = { c, username: name, others, state };
  const left = estate.accounts - estate.terminating;
  return page(
    c,
    {
      title: left === 0 ? texts.deleteTitle(name) : texts.handOverTitle(name),
      above: aboveOf(texts.resellers, name),
      status: refused?.status ?? 200,
    },
    <>
      {estate.terminating === 0 ? null : <Terminating accounts={estate.terminating} />}
      {left > 0 ? <HandOverForm {...props} accounts={left} /> : null}
      {estate.accounts === 0 ? <DeleteForm {...props} packages={estate.packages.length} /> : null}
    </>,
  );
}

function aboveOf(resellers: string, username: string) {
  return [
    { name: resellers, path: '/resellers' },
    { name: username, path: `/resellers/${username}` },
  ];
}

interface FormProps {
  c: PanelContext;
  username: string;
  others: readonly ResellerView[];
  state: FormState;
}

function HandOverForm({ c, username, others, state, accounts }: FormProps & { accounts: number }) {
  const texts = useTexts(resellerTexts);
  const { number } = useFormats();
  return (
    <Card title={texts.handOver}>
      <p>{texts.handOverAbout(number(accounts), accounts === 1)}</p>
      <PostForm c={c} action={`/resellers/${username}/hand-over`} state={state} submit={texts.next}>
        <SelectField state={state} name="to" label={texts.to} options={managers(texts.self, others)} />
        <CheckField
          state={state}
          name="assign_packages"
          label={texts.assignPackages}
          hint={texts.assignHint}
        />
        <CheckField state={state} name="then_delete" label={texts.thenDelete} hint={texts.thenDeleteHint} />
        <UnusedPackages state={state} />
      </PostForm>
    </Card>
  );
}

function DeleteForm({ c, username, others, state, packages }: FormProps & { packages: number }) {
  const texts = useTexts(resellerTexts);
  return (
    <Card title={texts.deleteTitle(username)}>
      <p>{texts.deleteAbout}</p>
      <PostForm
        c={c}
        action={`/resellers/${username}/delete`}
        state={state}
        submit={texts.deleteSubmit(username)}
        danger
      >
        {packages === 0 ? null : (
          <>
            <SelectField
              state={state}
              name="packages_to"
              label={texts.packagesTo}
              options={managers(texts.self, others)}
            />
            <UnusedPackages state={state} />
          </>
        )}
      </PostForm>
    </Card>
  );
}

function UnusedPackages({ state }: { state: FormState }) {
  const texts = useTexts(resellerTexts);
  const { keep, delete: remove } = texts.unusedChoices;
  return (
    <SelectField
      state={state}
      name="unused_packages"
      label={texts.unused}
      options={[
        ['keep', keep],
        ['delete', remove],
      ]}
    />
  );
}

function Terminating({ accounts }: { accounts: number }) {
  const texts = useTexts(resellerTexts);
  const { number } = useFormats();
  return <Notice>{texts.terminating(number(accounts), accounts === 1)}</Notice>;
}

function managers(self: string, others: readonly ResellerView[]) {
  return [['', self] as const, ...others.map(({ username }) => [username, username] as const)];
}

/** Shows what changes, and hands over once that is confirmed. */
export async function handOver(c: PanelContext): Promise<Response> {
  const { form } = c.var;
  const reseller = resellerName(c);
  const to = managerOf(c, 'to');
  const thenDelete = form.then_delete === '1';
  if (form.confirmed !== '1') return await askPage(c, { reseller, to, thenDelete });
  const { bulk_change_id, total, token_ids } = await handOverAccounts(operatorContext(c), {
    reseller,
    to,
    assign_packages: form.assign_packages === '1',
    then_delete: thenDelete ? { unused_packages: unusedOf(c) } : undefined,
  });
  for (const id of token_ids) c.var.deps.tellTokenRevoked(id);
  return goToWithNotice(c, `/changes/${bulk_change_id}`, textsFor(c, resellerTexts).handed(total));
}

async function askPage(
  c: PanelContext,
  { reseller, to, thenDelete }: { reseller: string; to: string | null; thenDelete: boolean },
): Promise<Response> {
  const texts = textsFor(c, resellerTexts);
  const preview = await previewHandOver(operatorContext(c), { reseller, to });
  const { form } = c.var;
  const kept = ['to', 'assign_packages', 'then_delete', 'unused_packages'];
  return page(
    c,
    { title: texts.whatChanges, above: aboveOf(texts.resellers, reseller) },
    <Card title={texts.handOverTitle(reseller)}>
      <Preview preview={preview} to={to} />
      {thenDelete ? <p>{texts.deletedAfterwards(reseller)}</p> : null}
      {preview.excess.length > 0 ? null : (
        <PostForm
          c={c}
          action={`/resellers/${reseller}/hand-over`}
          submit={thenDelete ? texts.confirmAndDelete : texts.confirm}
          danger={thenDelete}
        >
          {kept.map((name) => (
            <input type="hidden" name={name} value={textOf(form, name)} />
          ))}
          <input type="hidden" name="confirmed" value="1" />
        </PostForm>
      )}
      <p>
        <a href={`/resellers/${reseller}/hand-over`}>{texts.back}</a>
      </p>
    </Card>,
  );
}

/** What changes when accounts get another manager. */
function Preview({ preview, to }: { preview: HandOverPreview; to: string | null }) {
  const texts = useTexts(resellerTexts);
  const translate = useTranslate();
  const { number } = useFormats();
  const { accounts, coming_back, excess, unsold } = preview;
  return (
    <>
      <p>{texts.moved(number(accounts), accounts === 1, to ?? texts.self)}</p>
      {coming_back === 0 ? null : <p>{texts.comingBack(number(coming_back), coming_back === 1)}</p>}
      {excess.length === 0 ? null : (
        <Notice tone="bad" role="alert">
          <p>{texts.tooSmall(to ?? texts.self)}</p>
          <ul>
            {excess.map((sentence) => (
              <li>{translate(sentence)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {unsold.length === 0 ? null : (
        <>
          <p>{texts.unsold}</p>
          <ul>
            {unsold.map((one) => (
              <li>
                {texts.unsoldPackage(one.name, number(one.accounts), one.accounts === 1)}
                {one.is_assignable ? null : ` ${texts.ofAnother}`}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

export async function remove(c: PanelContext): Promise<Response> {
  const reseller = resellerName(c);
  const { token_ids } = await deleteReseller(operatorContext(c), {
    reseller,
    packages_to: managerOf(c, 'packages_to'),
    unused_packages: unusedOf(c),
  });
  for (const id of token_ids) c.var.deps.tellTokenRevoked(id);
  return goToWithNotice(c, '/resellers', textsFor(c, resellerTexts).deleted(reseller));
}

/** The empty choice is the operator itself. */
function managerOf(c: PanelContext, field: string): string | null {
  const name = textOf(c.var.form, field);
  return name === '' ? null : name;
}

function unusedOf(c: PanelContext): 'keep' | 'delete' {
  return textOf(c.var.form, 'unused_packages') === 'delete' ? 'delete' : 'keep';
}
