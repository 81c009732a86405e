import { homePath } from '@innkeeper/domain';
import type { DomainView, SiteView } from '@innkeeper/services';
import type { Child } from 'hono/jsx';
import type { PanelContext } from '../../env.ts';
import {
  ButtonForm,
  CheckField,
  type FormState,
  freshForm,
  PostForm,
  SelectField,
  TextField,
} from '../../ui/form.tsx';
import { Card, Notice } from '../../ui/parts.tsx';
import type { SiteParts } from './site-page.tsx';

/** A form of this section; its action is this name below the domain's path. */
export type SiteForm = 'https' | 'redirect' | 'document-root' | 'password' | 'aliases';

interface SiteSettingsProps extends SiteParts {
  site: SiteView;
}

/** What the owner of a site can set. */
export function SiteSettings({ c, domain, site, refusedAs }: SiteSettingsProps) {
  const path = `/sites/${domain.id}`;
  if (site.alias_of !== null)
    return (
      <Card title="Settings">
        <p>
          {`${domain.domain_name} shows the site of `}
          <a href={`/sites/${site.alias_of.id}`}>{site.alias_of.domain_name}</a>
          {', which has the settings.'}
        </p>
      </Card>
    );
  const stateOf = (form: SiteForm, values: FormState['values']): FormState =>
    refusedAs(form) ?? freshForm(values);
  const { redirect, password } = site;
  return (
    <Card title="Settings" id="settings">
      <Section title="HTTPS">
        <PostForm
          c={c}
          action={`${path}/https`}
          state={stateOf('https', { https_redirect: site.https_redirect ? '1' : '' })}
          submit="Save"
        >
          <CheckField
            state={stateOf('https', { https_redirect: site.https_redirect ? '1' : '' })}
            name="https_redirect"
            label="Redirect http:// to https://"
            hint="As soon as the site has a certificate. Switch it off only for devices that cannot use https://."
          />
        </PostForm>
      </Section>
      <Section title="Redirect">
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
      <Section title="Folder">
        <DocumentRoot
          c={c}
          path={path}
          domain={domain}
          state={stateOf('document-root', { document_root: site.document_root ?? '' })}
        />
      </Section>
      <Section title="Password">
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
      <Section title="Other names">
        <Aliases c={c} path={path} site={site} state={stateOf('aliases', {})} />
      </Section>
    </Card>
  );
}

function Section({ title, children }: { title: string; children: Child }) {
  return (
    <section class="stack">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

interface PartProps {
  c: PanelContext;
  path: string;
  state: FormState;
}

function Redirect({ c, path, site: { redirect }, state }: PartProps & { site: SiteView }) {
  return (
    <>
      {redirect === null ? null : (
        <Notice>
          <p>{`All visitors are redirected to ${redirect.url}`}</p>
          <ButtonForm c={c} action={`${path}/redirect/remove`} submit="Remove the redirect" />
        </Notice>
      )}
      <PostForm c={c} action={`${path}/redirect`} state={state} submit="Save the redirect">
        <TextField
          state={state}
          name="redirect_url"
          label="Redirect all visitors to"
          hint="Such as https://example.com/. The site itself is not shown then."
          attributes={{ required: true, inputmode: 'url', autocomplete: 'off', spellcheck: false }}
        />
        <SelectField
          state={state}
          name="redirect_status"
          label="Kind"
          hint="Browsers and search engines remember a permanent one."
          options={[
            ['301', 'Permanent (301)'],
            ['302', 'Temporary (302)'],
          ]}
        />
        <CheckField
          state={state}
          name="redirect_keeps_path"
          label="Keep the path"
          hint="A visitor of /shop?page=2 then arrives at /shop?page=2 of the new address."
        />
      </PostForm>
    </>
  );
}

function DocumentRoot({ c, path, domain, state }: PartProps & { domain: DomainView }) {
  const home = homePath(domain.document_root.split('/')[2] ?? '');
  return (
    <PostForm c={c} action={`${path}/document-root`} state={state} submit="Save the folder">
      <TextField
        state={state}
        name="document_root"
        label="Folder that visitors see"
        hint={`Below ${home}. Empty: the folder of the domain.`}
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
  return (
    <>
      {password === null ? null : (
        <Notice>
          <p>
            {`${password.folder === null ? 'The whole site' : `The folder /${password.folder}/`} asks for the password of ${password.user}.`}
          </p>
          <ButtonForm c={c} action={`${path}/password/remove`} submit="Remove the password" />
        </Notice>
      )}
      <PostForm
        c={c}
        action={`${path}/password`}
        state={state}
        submit={password === null ? 'Protect with a password' : 'Save the password'}
      >
        <TextField
          state={state}
          name="password_folder"
          label="Folder of the site"
          hint="As in the address, such as admin. Empty: the whole site."
          attributes={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
        <TextField
          state={state}
          name="password_user"
          label="User name of visitors"
          attributes={{ required: true, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
        <TextField
          state={state}
          name="password"
          label="Password of visitors"
          hint="At least 8 characters. Not the password of this panel."
          type="password"
          attributes={{ required: true, autocomplete: 'new-password' }}
        />
      </PostForm>
    </>
  );
}

function Aliases({ c, path, site: { aliases }, state }: PartProps & { site: SiteView }) {
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
      <PostForm c={c} action={`${path}/aliases`} state={state} submit="Add the name">
        <TextField
          state={state}
          name="domain_name"
          label="Another domain that shows this site"
          hint="It counts as a domain, and needs the same DNS record. Its page has its own certificate."
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
