import { pooledLimits, poolFields } from '@innkeeper/domain';
import { findSecondFactorState, getPool, type PoolView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import { numberOf, type Refused, wrongFields } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useFormats, useTexts } from '../../language/use-texts.ts';
import { ActionLink, CheckField, freshForm, PostForm } from '../../ui/form.tsx';
import { LimitFields, limitNamed, limitValues, unlimitedOf } from '../../ui/limit-fields.tsx';
import { page } from '../../ui/page.tsx';
import { Card, UsageBar } from '../../ui/parts.tsx';
import { SecondFactorCard } from '../../ui/second-factor-card.tsx';
import { uiTexts } from '../../ui/texts/index.ts';
import { resellerTexts } from './texts/index.ts';

/** The pool of the signed-in reseller. */
export async function ownPoolPage(c: PanelContext, username: string): Promise<Response> {
  const texts = textsFor(c, resellerTexts);
  const pool = await getPool(operatorContext(c), { reseller: username });
  return page(
    c,
    { title: texts.pool },
    <Card title={texts.ownUsage}>
      <PoolBars pool={pool} />
    </Card>,
  );
}

/** One reseller, for admins: its pool and its second factor. */
export async function resellerPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, resellerTexts);
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
      above: [{ name: texts.resellers, path: '/resellers' }],
      actions: (
        <>
          <a class="btn" href={`/accounts?reseller=${id}`}>
            {texts.viewAccounts}
          </a>
          <ActionLink c={c} action="reseller.suspend" href={`/resellers/${username}/access`}>
            {texts.title}
          </ActionLink>
          <ActionLink c={c} action="reseller.hand-over" href={`/resellers/${username}/hand-over`}>
            {texts.handOver}
          </ActionLink>
        </>
      ),
      status: refused?.status ?? 200,
    },
    <div class="half">
      <Card title={texts.usage}>
        <PoolBars pool={pool} />
      </Card>
      <Card title={texts.limits}>
        <PostForm c={c} action={`/resellers/${username}/pool`} state={state} submit={texts.changePool}>
          <p class="hint">{texts.poolHint}</p>
          <LimitFields state={state} fields={{ sized: [], unlimitable: poolFields }} />
          <CheckField
            state={state}
            name="overselling"
            label={texts.overselling}
            hint={texts.oversellingHint}
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
  const texts = useTexts(resellerTexts);
  const { number } = useFormats();
  const uncapped = pooledLimits.flatMap(({ name, unlimitedField }) => {
    const accounts = unlimitedField === null ? 0 : pool.allocated[unlimitedField];
    if (accounts === 0) return [];
    return [texts.uncapped(limitNamed(name).label, number(accounts), accounts === 1)];
  });
  return (
    <>
      {poolFields.map((field) => {
        const used = field === 'max_accounts' ? pool.allocated.accounts : pool.allocated[field];
        const { label, suffix } = limitNamed(field);
        return <UsageBar label={label} used={used} limit={pool[field]} unit={suffix} />;
      })}
      {uncapped.map((sentence) => (
        <p class="muted">{sentence}</p>
      ))}
      <p class="muted">{pool.overselling ? texts.oversellingOn : texts.oversellingOff}</p>
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
