import { homePath } from '@innkeeper/domain';
import type { DomainView, SiteView } from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../../env.ts';
import { useTexts } from '../../language/use-texts.ts';
import {
  ButtonForm,
  CheckField,
  type FormState,
  freshForm,
  PostForm,
  SelectField,
  TextField,
} from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card, Notice } from '../../ui/parts.tsx';
import type { SiteParts } from './site-page.tsx';
import { siteTexts } from './texts/index.ts';

/** A form of this section; its action is this name below the domain's path. */
export type SiteForm = 'https' | 'redirect' | 'document-root' | 'password' | 'aliases' | 'php';

interface SiteSettingsProps extends SiteParts {
  site: SiteView;
}

/** What the owner of a site can set. */
export function SiteSettings({ c, domain, site, refusedAs }: SiteSettingsProps) {
  const texts = useTexts(siteTexts);
  const path = `/sites/${domain.id}`;
  if (site.alias_of !== null)
    return (
      <Card title={texts.settings}>
        <p>
          {texts.isAlias(
            domain.domain_name,
            <a href={`/sites/${site.alias_of.id}`}>{site.alias_of.domain_name}</a>,
          )}
        </p>
      </Card>
    );
  const stateOf = (form: SiteForm, values: FormState['values']): FormState =>
    refusedAs(form) ?? freshForm(values);
  const { redirect, password } = site;
  return (
    <Card title={texts.settings} id="settings">
      <Section
        title={texts.https}
        now={site.https_redirect ? texts.redirected : texts.notRedirected}
        isOpen={refusedAs('https') !== undefined}
      >
        <PostForm
          c={c}
          action={`${path}/https`}
          state={stateOf('https', { https_redirect: site.https_redirect ? '1' : '' })}
          submit={texts.save}
        >
          <CheckField
            state={stateOf('https', { https_redirect: site.https_redirect ? '1' : '' })}
            name="https_redirect"
            label={texts.redirectToHttps}
            hint={texts.redirectToHttpsHint}
          />
        </PostForm>
      </Section>
      <Section
        title={texts.redirect}
        now={redirect === null ? texts.off : redirect.url}
        isOpen={refusedAs('redirect') !== undefined}
      >
        <Redirect
          c={c}
          path={path}
          site={site}
          state={stateOf('redirect', {
            redirect_url: redirect?.url ?? '',
            redirect_status: String(redirect?.status ?? 301),
            redirect_keeps_path: redirect?.keeps_path === true ? '1' : '',
          })}
        />
      </Section>
      <Section
        title={texts.folder}
        now={site.document_root ?? texts.standardFolder}
        isOpen={refusedAs('document-root') !== undefined}
      >
        <DocumentRoot
          c={c}
          path={path}
          domain={domain}
          state={stateOf('document-root', { document_root: site.document_root ?? '' })}
        />
      </Section>
      <Section
        title={texts.password}
        now={password === null ? texts.off : password.user}
        isOpen={refusedAs('password') !== undefined}
      >
        <Password
          c={c}
          path={path}
          site={site}
          state={stateOf('password', {
            password_folder: password?.folder ?? '',
            password_user: password?.user ?? '',
          })}
        />
      </Section>
      <Section
        title={texts.otherNames}
        now={texts.names(site.aliases.length)}
        isOpen={refusedAs('aliases') !== undefined}
      >
        <Aliases c={c} path={path} site={site} state={stateOf('aliases', {})} />
      </Section>
    </Card>
  );
}

/** Closed, unless its form was refused. The words beside the title say how it is set. */
export function Section({
  title,
  now,
  isOpen,
  children,
}: {
  title: string;
  now: string;
  isOpen: boolean;
  children: Child;
}) {
  return (
    <details class="setting" open={isOpen}>
      <summary>
        {title} <span class="muted">{now}</span>
        <Icon name="chevrons-up-down" />
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}

interface PartProps {
  c: PanelContext;
  path: string;
  state: FormState;
}

function Redirect({ c, path, site: { redirect }, state }: PartProps & { site: SiteView }) {
  const texts = useTexts(siteTexts);
  return (
    <>
      {redirect === null ? null : (
        <Notice>
          <p>{texts.allRedirected(redirect.url)}</p>
          <ButtonForm c={c} action={`${path}/redirect/remove`} submit={texts.removeRedirect} />
        </Notice>
      )}
      <PostForm c={c} action={`${path}/redirect`} state={state} submit={texts.saveRedirect}>
        <TextField
          state={state}
          name="redirect_url"
          label={texts.redirectTo}
          hint={texts.redirectHint}
          attributes={{ required: true, inputmode: 'url', autocomplete: 'off', spellcheck: false }}
        />
        <SelectField
          state={state}
          name="redirect_status"
          label={texts.kind}
          hint={texts.kindHint}
          options={[
            ['301', texts.permanent],
            ['302', texts.temporary],
          ]}
        />
        <CheckField
          state={state}
          name="redirect_keeps_path"
          label={texts.keepPath}
          hint={texts.keepPathHint}
        />
      </PostForm>
    </>
  );
}

function DocumentRoot({ c, path, domain, state }: PartProps & { domain: DomainView }) {
  const texts = useTexts(siteTexts);
  const home = homePath(domain.document_root.split('/')[2] ?? '');
  return (
    <PostForm c={c} action={`${path}/document-root`} state={state} submit={texts.saveFolder}>
      <TextField
        state={state}
        name="document_root"
        label={texts.shownFolder}
        hint={texts.below(home)}
        attributes={{
          placeholder: `domains/${domain.domain_name}/public_html`,
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: false,
        }}
      />
    </PostForm>
  );
}

function Password({ c, path, site: { password }, state }: PartProps & { site: SiteView }) {
  const texts = useTexts(siteTexts);
  return (
    <>
      {password === null ? null : (
        <Notice>
          <p>{texts.isProtected(password.folder, password.user)}</p>
          <ButtonForm c={c} action={`${path}/password/remove`} submit={texts.removePassword} />
        </Notice>
      )}
      <PostForm
        c={c}
        action={`${path}/password`}
        state={state}
        submit={password === null ? texts.protect : texts.savePassword}
      >
        <TextField
          state={state}
          name="password_folder"
          label={texts.siteFolder}
          hint={texts.siteFolderHint}
          attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
        <TextField
          state={state}
          name="password_user"
          label={texts.visitorName}
          attributes={{ required: true, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
        <TextField
          state={state}
          name="password"
          label={texts.visitorPassword}
          hint={texts.visitorPasswordHint}
          type="password"
          attributes={{ required: true, autocomplete: 'new-password' }}
        />
      </PostForm>
    </>
  );
}

function Aliases({ c, path, site: { aliases }, state }: PartProps & { site: SiteView }) {
  const texts = useTexts(siteTexts);
  return (
    <>
      {aliases.length === 0 ? null : (
        <ul>
          {aliases.map(({ id, domain_name }) => (
            <li>
              <a href={`/sites/${id}`}>{domain_name}</a>
            </li>
          ))}
        </ul>
      )}
      <PostForm c={c} action={`${path}/aliases`} state={state} submit={texts.addName}>
        <TextField
          state={state}
          name="domain_name"
          label={texts.anotherDomain}
          hint={texts.anotherDomainHint}
          attributes={{
            required: true,
            autocomplete: 'off',
            autocapitalize: 'none',
            spellcheck: false,
            inputmode: 'url',
          }}
        />
      </PostForm>
    </>
  );
}
