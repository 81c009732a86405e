import { type AccountView, getAccount, listPackages } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { CheckField, freshForm, PostForm, SelectField } from '../../ui/form.tsx';
import { accountFields, LimitFields, limitValues } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { PasswordField } from '../../ui/person-fields.tsx';
import { accountTexts } from './texts/index.ts';

export async function packagePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const state = refused ?? freshForm();
  const [account, packages] = await Promise.all([accountOf(c), listPackages(operatorContext(c))]);
  const texts = textsFor(c, accountTexts);
  const others = packages.filter(({ id }) => id !== account.package_id);
  return page(
    c,
    { title: texts.changePackage, above: above(texts, account), status: refused?.status ?? 200 },
    <Card title={texts.currentPackage(account.username, account.package.name)}>
      {others.length === 0 ? (
        <Empty>
          {texts.noOtherPackage} <a href="/packages/new">{texts.createPackage}</a>
        </Empty>
      ) : (
        <PostForm
          c={c}
          action={`/accounts/${account.id}/package`}
          state={state}
          submit={texts.changeThePackage}
        >
          <SelectField
            state={state}
            name="package_id"
            label={texts.newPackage}
            hint={texts.newPackageHint}
            options={others.map(({ id, name }) => [String(id), name] as const)}
          />
        </PostForm>
      )}
    </Card>,
  );
}

export async function limitsPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, accountTexts);
  const account = await accountOf(c);
  const state =
    refused ?? freshForm({ ...limitsOf(account), terminal_access: account.terminal_access ? '1' : '0' });
  return page(
    c,
    { title: texts.changeLimits, above: above(texts, account), status: refused?.status ?? 200 },
    <Card title={texts.limitsOf(account.username)}>
      <PostForm c={c} action={`/accounts/${account.id}/limits`} state={state} submit={texts.changeTheLimits}>
        <p class="hint">{texts.keepsPackage(account.package.name)}</p>
        <LimitFields state={state} fields={accountFields} />
        <CheckField state={state} name="terminal_access" label={texts.terminalAccess} />
      </PostForm>
    </Card>,
  );
}

export async function passwordPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const state = refused ?? freshForm();
  const texts = textsFor(c, accountTexts);
  const account = await accountOf(c);
  return page(
    c,
    { title: texts.setPassword, above: above(texts, account), status: refused?.status ?? 200 },
    <Card title={texts.newPasswordFor(account.username)}>
      <PostForm c={c} action={`/accounts/${account.id}/password`} state={state} submit={texts.setThePassword}>
        <PasswordField state={state} label={texts.newPassword} hint={texts.setPasswordHint} />
      </PostForm>
    </Card>,
  );
}

async function accountOf(c: PanelContext): Promise<AccountView> {
  return await getAccount(operatorContext(c), { account_id: recordId(c), include: new Set() });
}

function limitsOf(account: AccountView) {
  return limitValues(Object.fromEntries(accountFields.all.map((limit) => [limit, account[limit]])));
}

function above({ accounts }: typeof accountTexts.en, { id, username }: AccountView) {
  return [
    { name: accounts, path: '/accounts' },
    { name: username, path: `/accounts/${id}` },
  ];
}
