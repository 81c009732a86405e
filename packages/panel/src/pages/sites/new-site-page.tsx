import type { AppTemplate } from '@innkeeper/domain';
import { getHosting, getInstallChoices, type HostingView } from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../../env.ts';
import type { Refused } from '../../http/form.ts';
import { textOf } from '../../http/form.ts';
import { customerContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import { AppMark } from '../../ui/app-mark.tsx';
import {
  CheckField,
  CsrfField,
  type FormState,
  freshForm,
  Refusal,
  TextField,
  WrongFields,
} from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { page } from '../../ui/page.tsx';
import { Card, UsageBar } from '../../ui/parts.tsx';
import { Room } from '../../ui/record-state.tsx';
import { TemplateFields, templateDefaults } from '../apps/template-fields.tsx';
import { APP_FIELD, fieldOf, withoutKeys } from './new-site.ts';
import { siteTexts } from './texts/index.ts';

/** One form for a site: its domain, and the app on it. */
export async function newSitePage(c: PanelContext, refused?: Refused): Promise<Response> {
  const texts = textsFor(c, siteTexts);
  const ctx = customerContext(c);
  const { accountId: account_id } = ctx.actor;
  const [hosting, { node_versions }] = await Promise.all([
    getHosting(ctx, { account_id }),
    getInstallChoices(ctx, { account_id }),
  ]);
  const { domains, apps } = hosting;
  const templates = [...ctx.appTemplates.values()];
  const state = refused === undefined ? freshForm(beforehand(templates)) : withoutKeys(refused, templates);
  const isFull = domains.used >= domains.limit && refused === undefined;
  return page(
    c,
    {
      title: texts.newSite,
      above: [{ name: texts.sites, path: '/sites' }],
      status: refused?.status ?? 200,
    },
    isFull ? (
      <Room c={c} {...domains} kinds="domains" />
    ) : (
      <div class="cols">
        <form method="post" action="/sites" class="card" novalidate>
          <CsrfField c={c} />
          <section class="form-section">
            <Refusal state={state} />
            <WrongFields state={state} />
            <h2>{texts.domain}</h2>
            <DomainFields state={state} isFirst={domains.used === 0} />
          </section>
          <section class="form-section">
            <h2 id="tiles">{texts.whatIsOnIt}</h2>
            <Tiles templates={templates} state={state} nodeVersions={node_versions} room={apps} />
          </section>
          <div class="form-foot">
            <button type="submit" class="btn btn-primary">
              {texts.create}
            </button>
            <a class="btn btn-quiet" href="/sites">
              {texts.cancel}
            </a>
          </div>
        </form>
        <Summary hosting={hosting} />
      </div>
    ),
  );
}

/** The values of the fields before anything is typed. */
function beforehand(templates: readonly AppTemplate[]) {
  const values: Record<string, unknown> = { [APP_FIELD]: '' };
  for (const template of templates)
    for (const [field, value] of Object.entries(templateDefaults(template)))
      values[fieldOf(template.key)(field)] = value;
  return values;
}

function DomainFields({ state, isFirst }: { state: FormState; isFirst: boolean }) {
  const texts = useTexts(siteTexts);
  return (
    <>
      <TextField
        state={state}
        name="domain_name"
        label={texts.domainName}
        hint={texts.domainHint}
        attributes={{
          class: 'input input-lg',
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: false,
          inputmode: 'url',
          autofocus: true,
        }}
      />
      {isFirst ? null : (
        <CheckField state={state} name="is_primary" label={texts.makePrimary} hint={texts.primaryHint} />
      )}
    </>
  );
}

interface TilesProps {
  templates: readonly AppTemplate[];
  state: FormState;
  nodeVersions: readonly string[];
  room: HostingView['apps'];
}

/** One tile for each template, with its fields below all tiles while it is chosen. A style sheet does that. */
function Tiles({ templates, state, nodeVersions, room }: TilesProps) {
  const texts = useTexts(siteTexts);
  const chosen = textOf(state.values, APP_FIELD);
  const isFull = room.used >= room.limit;
  return (
    <>
      <div class="options tiles" role="radiogroup" aria-labelledby="tiles">
        <Tile
          value=""
          chosen={chosen}
          name={texts.emptySite}
          description={texts.emptyDescription}
          mark={<AppMark icon="" instead="folder" />}
        />
        {templates.map((template) => (
          <Tile
            value={template.key}
            chosen={chosen}
            name={template.name}
            description={template.description}
            mark={<AppMark icon={template.icon} />}
            disabled={isFull && chosen !== template.key}
          >
            {template.env_schema.length === 0 && template.runtime !== 'nodejs' ? null : (
              <TemplateFields
                template={template}
                nodeVersions={nodeVersions}
                state={state}
                at={fieldOf(template.key)}
              />
            )}
          </Tile>
        ))}
      </div>
      {isFull ? <p class="muted">{room.limit === 0 ? texts.noApps : texts.allAppsUsed(room.limit)}</p> : null}
    </>
  );
}

interface TileProps {
  value: string;
  chosen: string;
  name: string;
  description: string;
  mark: Child;
  disabled?: boolean;
  /** Fields that only apply to this choice. */
  children?: Child;
}

function Tile({ value, chosen, name, description, mark, disabled = false, children }: TileProps) {
  return (
    <div class="choice">
      <label class="option">
        <input type="radio" name={APP_FIELD} value={value} checked={value === chosen} disabled={disabled} />
        {mark}
        <span>
          <b>{name}</b>
          <small>{description}</small>
        </span>
        <span class="option-dot">
          <Icon name="check" />
        </span>
      </label>
      {children ? (
        <fieldset class="choice-part">
          <legend>{name}</legend>
          {children}
        </fieldset>
      ) : null}
    </div>
  );
}

function Summary({ hosting: { server, domains, apps } }: { hosting: HostingView }) {
  const texts = useTexts(siteTexts);
  return (
    <aside class="stack" aria-label={texts.summary}>
      <Card title={texts.youGet}>
        <ul class="steps">
          <li class="is-good">
            <Icon name="good" />
            <span>{texts.withWww}</span>
          </li>
          <li class="is-good">
            <Icon name="good" />
            <span>
              {server.php_version === null ? texts.aFolder : texts.folderWithPhp(server.php_version)}
            </span>
          </li>
          <li>
            <Icon name="clock" />
            <span>{texts.httpsByItself(<code>{server.address}</code>)}</span>
          </li>
        </ul>
        <UsageBar label={texts.sites} {...domains} />
        <UsageBar label={texts.apps} {...apps} />
      </Card>
    </aside>
  );
}
