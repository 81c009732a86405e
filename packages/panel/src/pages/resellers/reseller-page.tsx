import { pooledLimits, poolFields } from '@innkeeper/domain';
import { findSecondFactorState, getPool, type PoolView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { numberOf, type Refused, wrongFields } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { ActionLink, CheckField, freshForm, PostForm } from '../../ui/form.tsx';
import { LimitFields, limitNamed, limitValues, unlimitedOf } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, UsageBar } from '../../ui/parts.tsx';
import { SecondFactorCard } from '../../ui/second-factor-card.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { resellerTexts } from './texts/index.ts';

/** The pool of the signed-in reseller. */
export async function ownPoolPage(c: PanelContext, username: string): Promise<Response> {
  const pool = await getPool(operatorContext(c), { reseller: username });
  return page(
    c,
    { title: 'Pool' },
    <Card title="Usage of your pool">
      <PoolBars pool={pool} />
    </Card>,
  );
}

/** One reseller, for admins: its pool and its second factor. */
export async function resellerPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const name = resellerName(c);
  const [pool, factor] = await Promise.all([
    getPool(ctx, { reseller: name }),
    findSecondFactorState(ctx, { username: name }),
  ]);
  const { id, username } = pool.reseller;
  const state = refused ?? freshForm(formOf(pool));
  return page(
    c,
    {
      title: username,
      above: [{ name: 'Resellers', path: '/resellers' }],
      actions: (
        <>
          <a class="btn" href={`/accounts?reseller=${id}`}>
            View accounts
          </a>
          <ActionLink c={c} action="reseller.suspend" href={`/resellers/${username}/access`}>
            {textsFor(c, resellerTexts).title}
          </ActionLink>
        </>
      ),
      status: refused?.status ?? 200,
    },
    <div class="half">
      <Card title="Usage of the pool">
        <PoolBars pool={pool} />
      </Card>
      <Card title="Limits of the pool">
        <PostForm c={c} action={`/resellers/${username}/pool`} state={state} submit="Change the pool">
          <p class="hint">
            Total limits of all accounts of the reseller. A limit cannot be smaller than the amount that is
            already allocated.
          </p>
          <LimitFields state={state} fields={{ sized: [], unlimitable: poolFields }} />
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

/** The reseller's username in the path. */
export function resellerName(c: PanelContext): string {
  return c.req.param('name') ?? '';
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
        <p class="muted">{`Accounts without a limit, which the pool does not cap: ${unlimited.join(', ')}.`}</p>
      )}
      <p class="muted">
        {pool.overselling
          ? 'Overselling is on: accounts can get more disk space, bandwidth, CPU and memory than the pool has.'
          : 'Overselling is off.'}
      </p>
    </>
  );
}

function formOf(pool: PoolView): Record<string, unknown> {
  const sizes = Object.fromEntries(poolFields.map((field) => [field, pool[field]]));
  return { ...limitValues(sizes), overselling: pool.overselling ? '1' : '0' };
}

/** Reads the form of the pool. Throws `invalid` for a limit that has neither a number nor the switch. */
export function poolOf(c: PanelContext) {
  const { form, refused } = unlimitedOf(c.var.form, poolFields, textsFor(c, uiTexts));
  if (Object.keys(refused).length > 0) throw wrongFields(c, refused);
  const sizes = poolFields.map(
    (field) => [field, form[field] === null ? null : numberOf(form, field)] as const,
  );
  return { ...Object.fromEntries(sizes), overselling: form.overselling === '1' };
}
