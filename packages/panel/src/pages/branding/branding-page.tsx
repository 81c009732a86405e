import { LOGO_MAX_SIDE } from '@innkeeper/domain';
import { type BrandSettings, getBrand, listResellerBrands } from '@innkeeper/services';
import { logoPath } from '../../assets/brand-files.ts';
import type { PanelContext } from '../../env.ts';
import { CSRF_FIELD, csrfToken } from '../../http/csrf.ts';
import type { Refused } from '../../http/form.ts';
import { operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { useTexts } from '../../language/use-texts.ts';
import {
  ButtonForm,
  Confirm,
  type FormState,
  freshForm,
  PostForm,
  Refusal,
  TextField,
} from '../../ui/form.tsx';
import { page } from '../../ui/page.tsx';
import { Card, Table } from '../../ui/parts.tsx';
import { brandingTexts } from './texts/index.ts';

/** The forms of the page. */
export type BrandForm = 'settings' | 'logo' | 'remove';

interface ShownForm {
  form: BrandForm;
  refused: Refused;
}

/** The reseller in the path. Without one: the installation, or the signed-in reseller. */
export function resellerOf(c: PanelContext): { reseller?: string } {
  const reseller = c.req.param('name');
  return reseller === undefined ? {} : { reseller };
}

export function brandPath(c: PanelContext): string {
  const { reseller } = resellerOf(c);
  return reseller === undefined ? '/branding' : `/branding/${reseller}`;
}

export async function brandingPage(c: PanelContext, shown?: ShownForm): Promise<Response> {
  const ctx = operatorContext(c);
  const texts = textsFor(c, brandingTexts);
  const { reseller } = resellerOf(c);
  const isInstallation = ctx.actor.role === 'admin' && reseller === undefined;
  const [brand, resellers] = await Promise.all([
    getBrand(ctx, resellerOf(c)),
    isInstallation ? listResellerBrands(ctx) : [],
  ]);
  return page(
    c,
    {
      title: reseller === undefined ? texts.title : texts.titleOf(reseller),
      above: reseller === undefined ? [] : [{ name: texts.title, path: '/branding' }],
      status: shown?.refused.status ?? 200,
    },
    <>
      <p class="muted">{isInstallation ? texts.aboutInstallation : texts.aboutReseller}</p>
      <div class="half">
        <SettingsCard c={c} brand={brand} shown={shown} withHost={reseller !== undefined} />
        {brand === null ? null : <LogoCard c={c} brand={brand} shown={shown} />}
      </div>
      {resellers.length === 0 ? null : <Resellers resellers={resellers} />}
      {brand === null ? null : (
        <Card title={texts.remove}>
          <p>{isInstallation ? texts.afterwardsInstallation : texts.afterwardsReseller}</p>
          <Refusal state={shown?.form === 'remove' ? shown.refused : undefined} />
          <Confirm c={c} action={`${brandPath(c)}/remove`} ask={texts.ask} submit={texts.remove}>
            <p>{texts.consequence}</p>
          </Confirm>
        </Card>
      )}
    </>,
  );
}

interface CardProps {
  c: PanelContext;
  shown: ShownForm | undefined;
}

function SettingsCard({
  c,
  brand,
  shown,
  withHost,
}: CardProps & { brand: BrandSettings | null; withHost: boolean }) {
  const texts = useTexts(brandingTexts);
  const state: FormState = shown?.form === 'settings' ? shown.refused : freshForm({ ...brand });
  const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false };
  return (
    <Card title={texts.brand}>
      <PostForm c={c} action={brandPath(c)} state={state} submit={texts.save}>
        <TextField
          state={state}
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          attributes={{ required: true, maxlength: 60 }}
        />
        <TextField
          state={state}
          name="color"
          label={texts.color}
          hint={texts.colorHint}
          attributes={{ ...plain, maxlength: 7, pattern: '#[0-9a-fA-F]{6}' }}
        />
        <TextField
          state={state}
          name="support_url"
          label={texts.support}
          hint={texts.supportHint}
          attributes={{ ...plain, maxlength: 500 }}
        />
        {withHost ? (
          <TextField
            state={state}
            name="host"
            label={texts.host}
            hint={texts.hostHint}
            attributes={{ ...plain, maxlength: 253 }}
          />
        ) : null}
      </PostForm>
    </Card>
  );
}

/** The CSRF token is in the URL, because the panel checks it before it reads the file. */
function LogoCard({ c, brand, shown }: CardProps & { brand: BrandSettings }) {
  const texts = useTexts(brandingTexts);
  const refused = shown?.form === 'logo' ? shown.refused : undefined;
  const errors = refused?.errors.logo ?? [];
  return (
    <Card title={texts.logo}>
      {brand.logo_hash === null ? null : (
        <p>
          <img class="brand-image" src={logoPath(brand.logo_hash)} alt={texts.logoOf(brand.name)} />
        </p>
      )}
      <form
        method="post"
        action={`${brandPath(c)}/logo?${CSRF_FIELD}=${csrfToken(c)}`}
        enctype="multipart/form-data"
        class="stack"
      >
        <Refusal state={refused} />
        <div class="field">
          <label class="label" for="field-logo">
            {texts.image}
          </label>
          <input
            class="input"
            type="file"
            id="field-logo"
            name="logo"
            accept="image/png,image/jpeg,image/webp"
            required
            aria-invalid={errors.length > 0 ? 'true' : undefined}
            aria-describedby={['field-logo-hint', ...(errors.length > 0 ? ['field-logo-error'] : [])].join(
              ' ',
            )}
          />
          <p class="hint" id="field-logo-hint">
            {texts.imageHint(LOGO_MAX_SIDE)}
          </p>
          {errors.length === 0 ? null : (
            <p class="error" id="field-logo-error" role="alert">
              {errors.join(' ')}
            </p>
          )}
        </div>
        <div class="actions">
          <button type="submit" class="btn">
            {texts.upload}
          </button>
        </div>
      </form>
      {brand.logo_hash === null ? null : (
        <ButtonForm c={c} action={`${brandPath(c)}/logo/remove`} submit={texts.removeLogo} />
      )}
    </Card>
  );
}

function Resellers({ resellers }: { resellers: Awaited<ReturnType<typeof listResellerBrands>> }) {
  const texts = useTexts(brandingTexts);
  return (
    <Card title={texts.resellers}>
      <Table
        caption={texts.resellers}
        headings={[texts.reseller, texts.brand, texts.hostName]}
        rows={resellers.map(({ username, brand, host }) => [
          <a href={`/branding/${username}`}>{username}</a>,
          brand ?? texts.asInstallation,
          host ?? '',
        ])}
      />
    </Card>
  );
}
