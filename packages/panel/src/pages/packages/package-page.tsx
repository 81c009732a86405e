import { DomainError, isStaffRole } from '@innkeeper/domain';
import {
  getPackage,
  getPackageDetails,
  listResellers,
  type OperatorPackageView,
  type PackageView,
} from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { recordId } from '../../http/record-id.ts';
import { mayDo, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import {
  ActionLink,
  ButtonForm,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  SelectField,
} from '../../ui/form.tsx';
import { limitNamed, limitText, packageFields } from '../../ui/limit-fields.tsx';
import { numberText } from '../../ui/numbers.ts';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Facts } from '../../ui/parts.tsx';
import { LifeCycle, targetsOf, Unassign } from './life-cycle.tsx';
import { packageTexts } from './texts/index.ts';

/** One package. Admins also see who can sell it. */
export async function packagePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const package_id = recordId(c);
  const state = refused ?? freshForm();
  const isStaff = isStaffRole(ctx.actor.role);
  // A reseller sees the details of its own packages only.
  const own = await getPackageDetails(ctx, { package_id }).catch(hideUnlessSeen);
  const details = isStaff ? own : undefined;
  const shown: PackageView = own ?? (await getPackage(ctx, { package_id }).catch(hideForbidden));
  const resellers = details !== undefined && isAssignable(details) ? await listResellers(ctx) : [];
  const targets = own === undefined ? [] : await targetsOf(ctx, own);
  const texts = textsFor(c, packageTexts);
  return page(
    c,
    {
      title: shown.name,
      above: [{ name: 'Packages', path: '/packages' }],
      actions: (
        <>
          <a class="btn" href={`/accounts?package=${shown.id}`}>
            View accounts
          </a>
          {own === undefined ? null : (
            <>
              <ActionLink c={c} action="package.create" href={`/packages/new?copy=${shown.id}`}>
                {texts.copy}
              </ActionLink>
              <ActionLink c={c} action="package.change" href={`/packages/${shown.id}/edit`} primary>
                {texts.edit}
              </ActionLink>
            </>
          )}
        </>
      ),
      status: refused?.status ?? 200,
    },
    <div class="half">
      <Card title="Limits">
        <Facts
          facts={[
            ...packageFields.all.map(
              (limit) => [limitNamed(limit).label, limitText(limit, shown[limit])] as const,
            ),
            ['Terminal access', shown.terminal_access ? 'yes' : 'no'],
            ['Outgoing SMTP (port 25)', shown.smtp_port_25 ? 'open' : 'closed'],
          ]}
        />
        {details === undefined ? null : <Smtp c={c} details={details} />}
      </Card>
      {details === undefined ? null : (
        <Card title="Sales">
          <Sellers details={details} />
          {isAssignable(details) ? (
            <>
              <Unassign c={c} details={details} />
              <Assign
                c={c}
                details={details}
                names={resellers.map(({ username }) => username)}
                state={state}
              />
            </>
          ) : null}
        </Card>
      )}
      {own === undefined || !mayDo(c, 'package.delete') ? null : (
        <LifeCycle c={c} details={own} targets={targets} state={state} />
      )}
    </div>,
  );
}

/** Opens or closes port 25 for every account of the package. */
function Smtp({ c, details }: { c: PanelContext; details: OperatorPackageView }) {
  const action = `/packages/${details.id}/smtp-port-25`;
  if (details.smtp_port_25)
    return <ButtonForm c={c} action={action} submit="Close port 25" fields={{ smtp_port_25: '0' }} />;
  return (
    <Confirm
      c={c}
      action={action}
      ask="Open port 25"
      submit="Open it for all accounts"
      fields={{ smtp_port_25: '1' }}
    >
      <p>
        All accounts of this package (now {numberText(details.accounts)}) can then send mail directly to any
        server, including spam. Sending through a mail provider (ports 465 and 587) needs no permission.
      </p>
    </Confirm>
  );
}

function hideUnlessSeen(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
}

/** For a reseller, a package that it cannot see answers like a missing one. */
function hideForbidden(error: unknown): never {
  if (error instanceof DomainError && error.code === 'forbidden')
    throw new DomainError('not_found', 'There is no such package.');
  throw error;
}

function isAssignable({ owner, is_internal }: OperatorPackageView): boolean {
  return owner === null && !is_internal;
}

function Sellers({ details }: { details: OperatorPackageView }) {
  const { owner, is_internal, is_active, assigned_resellers, accounts } = details;
  const who = is_internal ? 'none: internal package for accounts with custom limits' : (owner ?? 'provider');
  return (
    <Facts
      facts={[
        ['Owner', who],
        ['Resellers', assigned_resellers.length === 0 ? 'none' : assigned_resellers.join(', ')],
        ['Sold', is_active ? 'yes' : 'no'],
        ['Accounts', numberText(accounts)],
      ]}
    />
  );
}

function Assign({
  c,
  details,
  names,
  state,
}: {
  c: PanelContext;
  details: OperatorPackageView;
  names: readonly string[];
  state: FormState;
}) {
  const others = names.filter((name) => !details.assigned_resellers.includes(name));
  if (others.length === 0)
    return names.length === 0 ? (
      <Empty>
        There is no reseller yet. <a href="/resellers/new">Add a reseller</a>
      </Empty>
    ) : (
      <p class="muted">Every reseller can sell it.</p>
    );
  return (
    <PostForm c={c} action={`/packages/${details.id}/assign`} state={state} submit="Assign to the reseller">
      <SelectField
        state={state}
        name="reseller"
        label="Reseller"
        options={others.map((name) => [name, name] as const)}
      />
    </PostForm>
  );
}
