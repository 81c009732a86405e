import { findManager, getAccount, handOverAccount, listResellers } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { type Refused, textOf, waitForNode } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { CheckField, freshForm, PostForm, SelectField } from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { accountTexts } from './texts/index.ts';

/** The form that gives an account to another reseller, or to the operator itself. */
export async function handOverPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, accountTexts);
  const account_id = recordId(c);
  const { id, username } = await getAccount(ctx, { account_id, include: new Set() });
  const [resellers, manager] = await Promise.all([listResellers(ctx), findManager(ctx, { account_id })]);
  const state = refused ?? freshForm();
  const others = resellers.filter((one) => one.username !== manager?.username && one.disabled_at === null);
  const options = [
    ...(manager === null ? [] : [['', texts.ourselves] as const]),
    ...others.map((one) => [one.username, one.username] as const),
  ];
  const above = [
    { name: texts.accounts, path: '/accounts' },
    { name: username, path: `/accounts/${id}` },
  ];
  return page(
    c,
    { title: texts.handOver, above, status: refused?.status ?? 200 },
    <Card title={texts.handOverTitle(username)}>
      <p>{texts.handOverAbout}</p>
      {options.length === 0 ? (
        <Empty>
          {texts.noOtherManager} <a href="/resellers/new">{texts.addReseller}</a>
        </Empty>
      ) : (
        <PostForm c={c} action={`/accounts/${id}/hand-over`} state={state} submit={texts.handOver}>
          <SelectField state={state} name="to" label={texts.newManager} options={options} />
          <CheckField
            state={state}
            name="assign_packages"
            label={texts.assignPackage}
            hint={texts.assignHint}
          />
        </PostForm>
      )}
    </Card>,
  );
}

export async function handOver(c: PanelContext): Promise<Response> {
  const { form } = c.var;
  const to = textOf(form, 'to') === '' ? null : textOf(form, 'to');
  const written = await handOverAccount(operatorContext(c), {
    account_id: recordId(c),
    to,
    assign_packages: form.assign_packages === '1',
  });
  await waitForNode(c, written);
  const { username } = written.view;
  return goToWithNotice(
    c,
    `/accounts/${written.accountId}`,
    textsFor(c, accountTexts).managerChanged(username, to),
  );
}
