import { abilities, presetAbilities } from '@innkeeper/domain';
import { listLiveTokens, listResellers, type TokenView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { rowsAPage } from '../../http/rows-a-page.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import {
  CheckField,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  SelectField,
  TextAreaField,
  TextField,
} from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Badge, Card, Empty, Moment, Pages, RowsAPage, Secret, Table } from '../../ui/parts.tsx';
import { aboveOf } from './above.ts';
import { securityTexts } from './texts/index.ts';

type SecurityTexts = typeof securityTexts.en;

/** The valid tokens, and the form for a new one. */
export async function tokensPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, securityTexts);
  const ctx = operatorContext(c);
  const number = Number(/^[1-9]\d{0,6}$/.exec(c.req.query('page') ?? '')?.[0] ?? 1);
  const list = await listLiveTokens(ctx, { page: number, per_page: rowsAPage(c) });
  const redirect = leadToLastPage(c, list);
  if (redirect !== undefined) return redirect;
  const isAdmin = ctx.actor.role === 'admin';
  const { username = '' } = c.var.signedInAs?.user ?? {};
  return page(
    c,
    { title: texts.tokens, above: aboveOf(texts), status: refused?.status ?? 200 },
    <>
      <Card title={texts.liveTokens}>
        {list.total === 0 ? (
          <Empty>{texts.noneYet}</Empty>
        ) : (
          <>
            <Table
              caption={texts.tokens}
              headings={[
                texts.name,
                ...(isAdmin ? [texts.owner] : []),
                texts.permissions,
                texts.allowedIps,
                texts.lastUsed,
                texts.expires,
                '',
              ]}
              rows={list.items.map((token) => tokenRow(c, token, isAdmin))}
            />
            <Pages path="/security/tokens" page={list.page} per_page={list.per_page} total={list.total} />
            <RowsAPage path="/security/tokens" rows={list.per_page} total={list.total} />
          </>
        )}
      </Card>
      <Card title={texts.addToken} id="create">
        <TokenForm
          c={c}
          state={refused ?? freshForm({ user: username })}
          owners={isAdmin ? [username, ...(await listResellers(ctx)).map((one) => one.username)] : []}
          newestId={list.newest_id}
        />
      </Card>
    </>,
  );
}

function tokenRow(c: PanelContext, token: TokenView, withOwner: boolean) {
  const texts = textsFor(c, securityTexts);
  const { name, user, allowed_ips, last_used_at, last_used_ip, expires_at } = token;
  return [
    name,
    ...(withOwner ? [user.username] : []),
    allowedOf(token, texts),
    allowed_ips.length === 0 ? texts.anywhere : allowed_ips.join(', '),
    last_used_ip === null ? (
      <Moment at={last_used_at} />
    ) : (
      texts.usedFrom(<Moment at={last_used_at} />, last_used_ip)
    ),
    <Expiry at={expires_at} now={c.var.deps.now()} />,
    <Confirm
      c={c}
      action={`/security/tokens/${token.id}/revoke`}
      ask={texts.revoke}
      submit={texts.revokeThis(name)}
    >
      <p>{texts.revokeWarning}</p>
    </Confirm>,
  ];
}

function Expiry({ at, now }: { at: Date | null; now: Date }) {
  const texts = useTexts(securityTexts);
  if (at !== null && at <= now)
    return (
      <>
        <Badge tone="warn">{texts.expired}</Badge> <Moment at={at} />
      </>
    );
  return <Moment at={at} never={texts.noEnd} />;
}

function allowedOf({ preset, abilities: granted }: TokenView, texts: SecurityTexts): string {
  if (granted.includes('*')) return texts.everything;
  if (preset !== 'custom') return texts.presets[preset as keyof typeof texts.presets] ?? preset;
  return granted.length === 0 ? texts.nothing : granted.join(', ');
}

function TokenForm({
  c,
  state,
  owners,
  newestId,
}: {
  c: PanelContext;
  state: FormState;
  /** Users whose token an admin can create. Empty: only the user's own. */
  owners: readonly string[];
  newestId: number;
}) {
  const texts = useTexts(securityTexts);
  const presetHint = texts.presetHint(spokenAreas('provisioning', texts), spokenAreas('full_access', texts));
  const refusedAbilities = state.errors.abilities ?? [];
  return (
    <PostForm c={c} action="/security/tokens" state={state} submit={texts.createToken}>
      <input type="hidden" name="newest_id" value={newestId} />
      <TextField
        state={state}
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        attributes={{ required: true, maxlength: 100, autocomplete: 'off' }}
      />
      {owners.length > 0 ? (
        <SelectField
          state={state}
          name="user"
          label={texts.owner}
          hint={texts.ownerHint}
          options={owners.map((username) => [username, username] as const)}
        />
      ) : null}
      <SelectField
        state={state}
        name="preset"
        label={texts.permissions}
        options={[['', texts.choose], ...Object.entries(texts.presets)]}
        hint={presetHint}
      />
      <fieldset
        class="custom-only"
        id="field-abilities"
        tabindex={refusedAbilities.length > 0 ? -1 : undefined}
        autofocus={refusedAbilities.length > 0 ? true : undefined}
        aria-describedby={refusedAbilities.length > 0 ? 'abilities-error' : undefined}
      >
        <legend>{texts.presets.custom}</legend>
        <p class="hint">{texts.customHint}</p>
        <div class="abilities">
          {abilities.map((ability) => (
            <CheckField
              state={{ values: state.values, errors: {} }}
              name="abilities[]"
              value={ability}
              label={ability}
            />
          ))}
        </div>
        {refusedAbilities.length > 0 ? (
          <p class="error" id="abilities-error" role="alert">
            {refusedAbilities.join(' ')}
          </p>
        ) : null}
      </fieldset>
      <SelectField
        state={state}
        name="expires_in_days"
        label={texts.expires}
        hint={texts.expiresHint}
        options={[
          ['', texts.noEnd],
          ...[30, 90, 180, 365].map((days) => [String(days), texts.days(days)] as const),
        ]}
      />
      <TextAreaField
        state={state}
        name="allowed_ips"
        label={texts.allowedIps}
        hint={texts.allowedIpsHint}
        attributes={{ rows: 4, spellcheck: false, autocapitalize: 'none' }}
      />
    </PostForm>
  );
}

/** `accounts, packages and domains`: what a preset may change. */
function spokenAreas(preset: 'provisioning' | 'full_access', texts: SecurityTexts): string {
  const areas = presetAbilities(preset)
    .filter((ability) => ability.endsWith(':write'))
    .map((ability) => texts.areas[ability.split(':')[0] as keyof typeof texts.areas]);
  return texts.lastTwo(areas.slice(0, -1).join(', '), areas.at(-1) ?? '');
}

/** Shows a token once, in the response to its form. */
export function createdTokenPage(c: PanelContext, token: TokenView, plainToken: string): Response {
  const texts = textsFor(c, securityTexts);
  const tokens = { name: texts.tokens, path: '/security/tokens' };
  return page(
    c,
    { title: texts.tokenCreated, above: [...aboveOf(texts), tokens] },
    <Card title={token.name}>
      <p role="status">{texts.copyNow(token.user.username)}</p>
      <Secret id="plain-token" label={texts.token} text={plainToken} />
      <p>
        <a class="btn btn-primary" href="/security/tokens">
          {texts.done}
        </a>
      </p>
    </Card>,
  );
}
