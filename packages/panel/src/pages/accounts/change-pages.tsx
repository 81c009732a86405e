import { type AccountView, getAccount, listPackages } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { operatorContext } from '../../http/session.ts';
import { CheckField, freshForm, PostForm, SelectField } from '../../ui/form.tsx';
import { accountFields, ChangedLimitField, LimitField } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty } from '../../ui/parts.tsx';
import { PasswordField } from '../../ui/person-fields.tsx';

export async function packagePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const state = refused ?? freshForm();
  const [account, packages] = await Promise.all([accountOf(c), listPackages(operatorContext(c))]);
  const others = packages.filter(({ id }) => id !== account.package_id);
  return page(
    c,
    { title: 'Change package', above: above(account), status: refused?.status ?? 200 },
    <Card title={`Current package of ${account.username}: ${account.package.name}`}>
      {others.length === 0 ? (
        <Empty>
          There is no other package. <a href="/packages/new">Create a package</a>
        </Empty>
      ) : (
        <PostForm c={c} action={`/accounts/${account.id}/package`} state={state} submit="Change the package">
          <SelectField
            state={state}
            name="package_id"
            label="New package"
            hint="The account gets all limits and the terminal access of the new package. It loses its custom limits."
            options={others.map(({ id, name }) => [String(id), name] as const)}
          />
        </PostForm>
      )}
    </Card>,
  );
}

export async function limitsPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const account = await accountOf(c);
  const state =
    refused ?? freshForm({ ...sizesOf(account), terminal_access: account.terminal_access ? '1' : '0' });
  return page(
    c,
    { title: 'Change limits', above: above(account), status: refused?.status ?? 200 },
    <Card title={`Limits of ${account.username}`}>
      <PostForm c={c} action={`/accounts/${account.id}/limits`} state={state} submit="Change the limits">
        <p class="hint">{`The account keeps its package ${account.package.name}.`}</p>
        <div class="two">
          {accountFields.sized.map((limit) => (
            <LimitField state={state} limit={limit} required />
          ))}
          {accountFields.unlimitable.map((limit) => (
            <ChangedLimitField state={state} limit={limit} now={account[limit]} />
          ))}
        </div>
        <CheckField state={state} name="terminal_access" label="Terminal access" />
      </PostForm>
    </Card>,
  );
}

export async function passwordPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const state = refused ?? freshForm();
  const account = await accountOf(c);
  return page(
    c,
    { title: 'Set password', above: above(account), status: refused?.status ?? 200 },
    <Card title={`New password for ${account.username}`}>
      <PostForm c={c} action={`/accounts/${account.id}/password`} state={state} submit="Set the password">
        <PasswordField
          state={state}
          label="New password"
          hint="For the panel and for SSH. All sessions of the user end."
        />
      </PostForm>
    </Card>,
  );
}

async function accountOf(c: PanelContext): Promise<AccountView> {
  return await getAccount(operatorContext(c), { account_id: recordId(c), include: new Set() });
}

function sizesOf(account: AccountView): Record<string, number> {
  return Object.fromEntries(accountFields.sized.map((limit) => [limit, account[limit]]));
}

function above({ id, username }: AccountView) {
  return [
    { name: 'Accounts', path: '/accounts' },
    { name: username, path: `/accounts/${id}` },
  ];
}
