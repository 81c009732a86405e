import { DomainError, type PackageLimits } from '@innkeeper/domain';
import {
  assignPackage,
  type CreatePackageInput,
  createPackage,
  getPackage,
  getPackageDetails,
  listAllPackages,
  listPackages,
  listResellers,
  type OperatorPackageView,
  type PackageView,
  updatePackage,
} from '@innkeeper/services';
import type { Form, Panel, PanelContext } from '../../env.ts';
import { numberOf, submit, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/notice.ts';
import { admin, operator, operatorContext } from '../../http/session.ts';
import {
  ButtonForm,
  CheckField,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  Refusal,
  SelectField,
  TextField,
} from '../../ui/form.tsx';
import {
  LimitField,
  type LimitName,
  limitNamed,
  limitText,
  packageFields,
  UnlimitableField,
  unlimitedOf,
} from '../../ui/limit-fields.tsx';
import { numberText } from '../../ui/numbers.ts';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Empty, Facts, Table } from '../../ui/parts.tsx';

const ONE = '/packages/:id{[1-9][0-9]{0,14}}';

/** Packages: an admin sees all, a reseller those that it can sell. */
export function registerPackages(panel: Panel): void {
  panel.get('/packages', operator, packagesPage);
  panel.get('/packages/new', operator, (c) => newPage(c));
  panel.post('/packages/new', operator, (c) =>
    submit(
      c,
      async () => {
        const { id, name } = await createPackage(operatorContext(c), packageOf(c));
        return goToWithNotice(c, `/packages/${id}`, `The package ${name} was created.`);
      },
      ({ status, ...state }) => newPage(c, state, status),
    ),
  );
  panel.get(ONE, operator, (c) => packagePage(c));
  panel.post(`${ONE}/assign`, admin, (c) =>
    submit(
      c,
      async () => {
        const reseller = textOf(c.var.form, 'reseller');
        await assignPackage(operatorContext(c), { package_id: idOf(c), reseller });
        return goToWithNotice(c, `/packages/${idOf(c)}`, `${reseller} can sell this package now.`);
      },
      ({ status, ...state }) => packagePage(c, state, status),
    ),
  );
  panel.post(`${ONE}/smtp-port-25`, admin, (c) =>
    submit(
      c,
      async () => {
        const smtp_port_25 = textOf(c.var.form, 'smtp_port_25') === '1';
        const { name } = await updatePackage(operatorContext(c), { package_id: idOf(c), smtp_port_25 });
        const sentence = `Port 25 is ${smtp_port_25 ? 'open' : 'closed'} for ${name}. Its accounts follow within a minute.`;
        return goToWithNotice(c, `/packages/${idOf(c)}`, sentence);
      },
      ({ status, ...state }) => packagePage(c, state, status),
    ),
  );
}

function idOf(c: PanelContext): number {
  return Number(c.req.param('id'));
}

async function packagesPage(c: PanelContext): Promise<Response> {
  const ctx = operatorContext(c);
  const isAdmin = ctx.actor.role === 'admin';
  const packages: (PackageView & Partial<OperatorPackageView>)[] = isAdmin
    ? await listAllPackages(ctx)
    : await listPackages(ctx);
  const create = (
    <a class="button main" href="/packages/new">
      Create a package
    </a>
  );
  return page(
    c,
    { title: 'Packages', actions: create },
    <Card title="All packages">
      {packages.length === 0 ? (
        <Empty>
          There is no package yet. A package is a set of limits for accounts.{' '}
          <a href="/packages/new">Create the first one</a>
        </Empty>
      ) : (
        <Table
          caption="Packages"
          headings={[
            'Name',
            'Disk space',
            'Memory',
            'CPU',
            'Domains',
            'Apps',
            ...(isAdmin ? ['Owner', 'Accounts'] : []),
          ]}
          rows={packages.map((one) => [
            <>
              <a href={`/packages/${one.id}`}>{one.name}</a> <Marks of={one} />
            </>,
            limitText('disk_mb', one.disk_mb),
            limitText('ram_mb', one.ram_mb),
            limitText('cpu_percent', one.cpu_percent),
            limitText('max_domains', one.max_domains),
            limitText('max_apps', one.max_apps),
            ...(isAdmin
              ? [one.owner ?? 'provider', one.accounts === undefined ? '' : numberText(one.accounts)]
              : []),
          ])}
        />
      )}
    </Card>,
  );
}

function Marks({ of }: { of: PackageView & Partial<OperatorPackageView> }) {
  return (
    <>
      {of.is_internal ? <Badge tone="plain">internal</Badge> : null}
      {of.is_active ? null : <Badge tone="plain">not sold</Badge>}
    </>
  );
}

async function packagePage(c: PanelContext, state: FormState = freshForm(), status = 200): Promise<Response> {
  const ctx = operatorContext(c);
  const details =
    ctx.actor.role === 'admin' ? await getPackageDetails(ctx, { package_id: idOf(c) }) : undefined;
  const shown: PackageView = details ?? (await getPackage(ctx, { package_id: idOf(c) }).catch(hideForbidden));
  const resellers = details !== undefined && isAssignable(details) ? await listResellers(ctx) : [];
  return page(
    c,
    {
      title: shown.name,
      above: [{ name: 'Packages', path: '/packages' }],
      actions: (
        <a class="button" href={`/accounts?package=${shown.id}`}>
          View accounts
        </a>
      ),
      status,
    },
    <div class="columns">
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
            <Assign c={c} details={details} names={resellers.map(({ username }) => username)} state={state} />
          ) : (
            <Refusal state={state} />
          )}
        </Card>
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
      <p class="soft">Every reseller can sell it.</p>
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

async function newPage(c: PanelContext, state: FormState = freshForm(), status = 200): Promise<Response> {
  const ctx = operatorContext(c);
  const isAdmin = ctx.actor.role === 'admin';
  const resellers = isAdmin ? await listResellers(ctx) : [];
  return page(
    c,
    { title: 'Create a package', above: [{ name: 'Packages', path: '/packages' }], status },
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
          <div class="columns">
            {packageFields.sized.map((limit) => (
              <LimitField state={state} limit={limit} required />
            ))}
            {packageFields.unlimitable.map((limit) => (
              <UnlimitableField state={state} limit={limit} />
            ))}
          </div>
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

/** Throws `invalid` if a field with the option Unlimited has neither a number nor that option. */
function packageOf(c: PanelContext): CreatePackageInput {
  const { form, refused } = unlimitedOf(c.var.form, packageFields.unlimitable);
  if (Object.keys(refused).length > 0)
    throw new DomainError('invalid', 'The given data was invalid.', { fields: refused });
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
