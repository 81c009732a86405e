import { abilities, presetAbilities } from '@innkeeper/domain';
import { listLiveTokens, type TokenView } from '@innkeeper/services';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { leadToLastPage } from '../../http/last-page.ts';
import { operatorContext } from '../../http/session.ts';
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
import { Card, Empty, Moment, Pages, Secret, Table } from '../../ui/parts.tsx';

const PER_PAGE = 25;
const above = [{ name: 'Security', path: '/security' }];

const presets = {
  read_only: 'Read only',
  provisioning: 'Provisioning',
  full_access: 'Full access',
  custom: 'Custom permissions',
} as const;

/** The valid tokens, and the form for a new one. */
export async function tokensPage(c: PanelContext, refused?: Refused): Promise<Response> {
  const ctx = operatorContext(c);
  const number = Number(/^[1-9]\d{0,6}$/.exec(c.req.query('page') ?? '')?.[0] ?? 1);
  const list = await listLiveTokens(ctx, { page: number, per_page: PER_PAGE });
  const redirect = leadToLastPage(c, list);
  if (redirect !== undefined) return redirect;
  const isAdmin = ctx.actor.role === 'admin';
  const { username = '' } = c.var.signedInAs?.user ?? {};
  return page(
    c,
    { title: 'API tokens', above, status: refused?.status ?? 200 },
    <>
      <Card title="Tokens">
        {list.total === 0 ? (
          <Empty>
            There is no token yet. A billing system or a script needs one to use the API: create it below.
          </Empty>
        ) : (
          <>
            <Table
              caption="API tokens"
              headings={[
                'Name',
                ...(isAdmin ? ['Owner'] : []),
                'Permissions',
                'Allowed IPs',
                'Last used',
                'Created',
                '',
              ]}
              rows={list.items.map((token) => tokenRow(c, token, isAdmin))}
            />
            <Pages path="/security/tokens" page={list.page} per_page={list.per_page} total={list.total} />
          </>
        )}
      </Card>
      <Card title="Create a token" id="create">
        <TokenForm
          c={c}
          state={refused ?? freshForm({ user: username })}
          isAdmin={isAdmin}
          newestId={list.newest_id}
        />
      </Card>
    </>,
  );
}

function tokenRow(c: PanelContext, token: TokenView, withOwner: boolean) {
  const { name, user, allowed_ips, last_used_at, last_used_ip, created_at } = token;
  return [
    name,
    ...(withOwner ? [user.username] : []),
    allowedOf(token),
    allowed_ips.length === 0 ? 'anywhere' : allowed_ips.join(', '),
    <>
      <Moment at={last_used_at} />
      {last_used_ip === null ? null : ` from ${last_used_ip}`}
    </>,
    <Moment at={created_at} />,
    <Confirm c={c} action={`/security/tokens/${token.id}/revoke`} ask="Revoke" submit={`Revoke ${name}`}>
      <p>The API refuses this token within 5 s. You cannot undo this.</p>
    </Confirm>,
  ];
}

function allowedOf({ preset, abilities: granted }: TokenView): string {
  if (granted.includes('*')) return 'Everything';
  if (preset !== 'custom') return presets[preset as keyof typeof presets] ?? preset;
  return granted.length === 0 ? 'Nothing' : granted.join(', ');
}

function TokenForm({
  c,
  state,
  isAdmin,
  newestId,
}: {
  c: PanelContext;
  state: FormState;
  isAdmin: boolean;
  newestId: number;
}) {
  const refusedAbilities = state.errors.abilities ?? [];
  return (
    <PostForm c={c} action="/security/tokens" state={state} submit="Create token">
      <input type="hidden" name="newest_id" value={newestId} />
      <TextField
        state={state}
        name="name"
        label="Name"
        hint="Purpose of the token, such as the name of the billing system or the script."
        attributes={{ required: true, maxlength: 100, autocomplete: 'off' }}
      />
      {isAdmin ? (
        <TextField
          state={state}
          name="user"
          label="Owner"
          hint="Your own username or the username of a reseller. The token has the access rights of its owner."
          attributes={{ required: true, autocapitalize: 'none', spellcheck: false, autocomplete: 'off' }}
        />
      ) : null}
      <SelectField
        state={state}
        name="preset"
        label="Permissions"
        options={[['', 'Choose…'], ...Object.entries(presets)]}
        hint={
          <>
            Read only can read everything and change nothing. Provisioning, for billing systems, can also
            change {spokenAreas('provisioning')}. Full access can change {spokenAreas('full_access')}.
          </>
        }
      />
      <fieldset aria-describedby={refusedAbilities.length > 0 ? 'abilities-error' : undefined}>
        <legend>Custom permissions</legend>
        <p class="hint">Only if you chose “Custom permissions” above.</p>
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
      <TextAreaField
        state={state}
        name="allowed_ips"
        label="Allowed IPs"
        hint="One IP address or range per line, such as 203.0.113.7 or 2001:db8::/32. At most 20. Empty: any address."
        attributes={{ rows: 4, spellcheck: false, autocapitalize: 'none' }}
      />
    </PostForm>
  );
}

/** `accounts, packages and domains`: what a preset may change. */
function spokenAreas(preset: 'provisioning' | 'full_access'): string {
  const areas = presetAbilities(preset)
    .filter((ability) => ability.endsWith(':write'))
    .map((ability) => ability.replace(':write', '').replace('cron', 'cron jobs'));
  return `${areas.slice(0, -1).join(', ')} and ${areas.at(-1)}`;
}

/** Shows a token once, in the response to its form. */
export function createdTokenPage(c: PanelContext, token: TokenView, plainToken: string): Response {
  const tokens = { name: 'API tokens', path: '/security/tokens' };
  return page(
    c,
    { title: 'Token created', above: [...above, tokens] },
    <Card title={token.name}>
      <p role="status">
        Copy the token now and store it in a safe place. The panel does not show it again. Anyone with the
        token can act as {token.user.username}.
      </p>
      <Secret id="plain-token" label="Token" text={plainToken} />
      <p>
        <a class="btn btn-primary" href="/security/tokens">
          Done
        </a>
      </p>
    </Card>,
  );
}
