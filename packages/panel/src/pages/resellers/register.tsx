import { pooledLimits, poolFields } from '@innkeeper/domain';
import {
  createReseller,
  findSecondFactorState,
  getPool,
  listResellers,
  type OperatorContext,
  type PoolView,
  resetSecondFactor,
  setPool,
  unlockSecondFactor,
} from '@innkeeper/services';
import type { Panel, PanelContext } from '../../env.ts';
import { numberOf, submit, textOf } from '../../http/form.ts';
import { goToWithNotice } from '../../http/notice.ts';
import { proven } from '../../http/proof.tsx';
import { admin, operator, operatorContext } from '../../http/session.ts';
import { CheckField, type FormState, freshForm, PostForm } from '../../ui/form.tsx';
import { LimitField, limitNamed } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Empty, Moment, Table, UsageBar } from '../../ui/parts.tsx';
import { PersonFields } from '../../ui/person-fields.tsx';
import { resetSentence, SecondFactorCard, unlockSentence } from '../../ui/second-factor-card.tsx';

const ONE = '/resellers/:name{[a-z0-9_-]{3,16}}';

/** Resellers and their pools. A reseller sees only its own pool. */
export function registerResellers(panel: Panel): void {
  panel.get('/resellers', operator, (c) => {
    const { user } = c.var.signedInAs ?? {};
    return user?.role === 'reseller' ? ownPoolPage(c, user.username) : resellersPage(c);
  });
  panel.get('/resellers/new', admin, (c) => newPage(c));
  panel.post('/resellers/new', admin, (c) =>
    submit(
      c,
      async () => {
        const { username } = await createReseller(operatorContext(c), resellerOf(c));
        return goToWithNotice(
          c,
          `/resellers/${username}`,
          `${username} can sign in now. Set the limits of the pool below.`,
        );
      },
      ({ status, ...state }) => newPage(c, state, status),
    ),
  );
  panel.get(ONE, admin, (c) => resellerPage(c));
  panel.post(`${ONE}/pool`, admin, (c) =>
    submit(
      c,
      async () => {
        await setPool(operatorContext(c), { reseller: nameOf(c), ...poolOf(c) });
        return goToWithNotice(c, `/resellers/${nameOf(c)}`, 'The pool was changed.');
      },
      ({ status, ...state }) => resellerPage(c, state, status),
    ),
  );
  panel.post(`${ONE}/second-factor/unlock`, admin, proven, async (c) => {
    const ctx = operatorContext(c);
    const { username } = (await getPool(ctx, { reseller: nameOf(c) })).reseller;
    await unlockSecondFactor(ctx, { username });
    return goToWithNotice(c, `/resellers/${username}`, unlockSentence(username));
  });
  panel.post(`${ONE}/second-factor/reset`, admin, proven, async (c) => {
    const ctx = operatorContext(c);
    const { username } = (await getPool(ctx, { reseller: nameOf(c) })).reseller;
    await resetSecondFactor(ctx, { username });
    return goToWithNotice(c, `/resellers/${username}`, resetSentence(username));
  });
}

function nameOf(c: PanelContext): string {
  return c.req.param('name') ?? '';
}

async function resellersPage(c: PanelContext): Promise<Response> {
  const resellers = await listResellers(operatorContext(c));
  return page(
    c,
    {
      title: 'Resellers',
      actions: (
        <a class="button main" href="/resellers/new">
          Add a reseller
        </a>
      ),
    },
    <Card title="All resellers">
      {resellers.length === 0 ? (
        <Empty>
          There is no reseller yet. A reseller signs in to this panel, sees only its own accounts, and creates
          accounts from a pool that you define. <a href="/resellers/new">Add the first one</a>
        </Empty>
      ) : (
        <Table
          caption="Resellers"
          headings={['Username', 'Name', 'Email', 'Accounts', 'Since']}
          rows={resellers.map((reseller) => [
            <a href={`/resellers/${reseller.username}`}>{reseller.username}</a>,
            reseller.name,
            reseller.email,
            <UsageBar label="Accounts" used={reseller.accounts} limit={reseller.max_accounts} />,
            <Moment at={reseller.created_at} />,
          ])}
        />
      )}
    </Card>,
  );
}

async function ownPoolPage(c: PanelContext, username: string): Promise<Response> {
  const pool = await getPool(operatorContext(c), { reseller: username });
  return page(
    c,
    { title: 'Pool' },
    <Card title="Usage of your pool">
      <PoolBars pool={pool} />
    </Card>,
  );
}

async function resellerPage(c: PanelContext, refused?: FormState, status = 200): Promise<Response> {
  const ctx: OperatorContext = operatorContext(c);
  const [pool, factor] = await Promise.all([
    getPool(ctx, { reseller: nameOf(c) }),
    findSecondFactorState(ctx, { username: nameOf(c) }),
  ]);
  const { id, username } = pool.reseller;
  const state = refused ?? freshForm(formOf(pool));
  return page(
    c,
    {
      title: username,
      above: [{ name: 'Resellers', path: '/resellers' }],
      actions: (
        <a class="button" href={`/accounts?reseller=${id}`}>
          View accounts
        </a>
      ),
      status,
    },
    <div class="columns">
      <Card title="Usage of the pool">
        <PoolBars pool={pool} />
      </Card>
      <Card title="Limits of the pool">
        <PostForm c={c} action={`/resellers/${username}/pool`} state={state} submit="Change the pool">
          <p class="hint">
            Total limits of all accounts of the reseller. Empty fields are unlimited. A limit cannot be
            smaller than the amount that is already allocated.
          </p>
          {poolFields.map((field) => (
            <LimitField state={state} limit={field} />
          ))}
          <CheckField
            state={state}
            name="overselling"
            label="Overselling"
            hint="The reseller can allocate more disk space, bandwidth, CPU and memory than the pool has."
          />
        </PostForm>
      </Card>
      <SecondFactorCard c={c} path={`/resellers/${username}`} username={username} factor={factor} />
    </div>,
  );
}

function PoolBars({ pool }: { pool: PoolView }) {
  const unlimited = pooledLimits.flatMap(({ label, unlimitedField }) => {
    const accounts = unlimitedField === null ? 0 : pool.allocated[unlimitedField];
    return accounts === 0 ? [] : [`${label}: ${accounts}`];
  });
  return (
    <>
      {poolFields.map((field) => {
        const used = field === 'max_accounts' ? pool.allocated.accounts : pool.allocated[field];
        const { label, suffix } = limitNamed(field);
        return <UsageBar label={label} used={used} limit={pool[field]} unit={suffix} />;
      })}
      {unlimited.length === 0 ? null : (
        <p class="soft">{`Accounts without a limit, which the pool does not cap: ${unlimited.join(', ')}.`}</p>
      )}
      <p class="soft">
        {pool.overselling
          ? 'Overselling is on: accounts can get more disk space, bandwidth, CPU and memory than the pool has.'
          : 'Overselling is off.'}
      </p>
    </>
  );
}

function formOf(pool: PoolView): Record<string, unknown> {
  const sizes = poolFields.map((field) => [field, pool[field] ?? ''] as const);
  return { ...Object.fromEntries(sizes), overselling: pool.overselling ? '1' : '0' };
}

/** An empty field means: the pool does not limit this. */
function poolOf(c: PanelContext) {
  const { form } = c.var;
  const sizes = poolFields.map(
    (field) => [field, textOf(form, field) === '' ? null : numberOf(form, field)] as const,
  );
  return { ...Object.fromEntries(sizes), overselling: form.overselling === '1' };
}

function newPage(c: PanelContext, state: FormState = freshForm(), status = 200): Response {
  return page(
    c,
    { title: 'Add a reseller', above: [{ name: 'Resellers', path: '/resellers' }], status },
    <Card title="New reseller">
      <PostForm c={c} action="/resellers/new" state={state} submit="Add the reseller">
        <PersonFields
          state={state}
          nameLabel="Name"
          usernameHint=""
          passwordHint="The reseller signs in to this panel with it."
        />
      </PostForm>
    </Card>,
  );
}

function resellerOf(c: PanelContext) {
  const { form } = c.var;
  const name = textOf(form, 'name');
  return {
    username: textOf(form, 'username'),
    ...(name === '' ? {} : { name }),
    email: textOf(form, 'email'),
    // A password can begin or end with a space.
    password: typeof form.password === 'string' ? form.password : '',
  };
}
