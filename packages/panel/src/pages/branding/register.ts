import { brandSettings } from '@innkeeper/contract';
import { invalidField, LOGO_MAX_BYTES, LOGO_TOO_LARGE } from '@innkeeper/domain';
import { removeBrand, removeBrandLogo, setBrand, setBrandLogo } from '@innkeeper/services';
import { bodyLimit } from 'hono/body-limit';
import type { Panel, PanelContext } from '../../env.ts';
import { fieldsOf, onSubmit } from '../../http/form.ts';
import { goToWithNotice } from '../../http/redirect.ts';
import { admin, allowed, operatorContext } from '../../http/session.ts';
import { textsFor } from '../../language/language.ts';
import { type BrandForm, brandingPage, brandPath, resellerOf } from './branding-page.tsx';
import { brandingTexts } from './texts/index.ts';

/** The file and what a multipart form adds to it. */
const UPLOAD_MAX_BYTES = 2 * LOGO_MAX_BYTES;

const limitLogo = bodyLimit({
  maxSize: UPLOAD_MAX_BYTES,
  onError: () => {
    throw invalidField('logo', LOGO_TOO_LARGE);
  },
});

/** The brand of the installation and of resellers. An admin also sets those of resellers. */
export function registerBranding(panel: Panel): void {
  const onBrand = (path: string, guard: typeof admin) => {
    const onForm = (at: string, form: BrandForm, run: (c: PanelContext) => Promise<Response>) =>
      panel.post(
        path + at,
        guard,
        onSubmit(run, (c, refused) => brandingPage(c, { form, refused })),
      );
    panel.get(path, guard, (c) => brandingPage(c));
    onForm('', 'settings', save);
    onForm('/logo', 'logo', uploadLogo);
    onForm('/logo/remove', 'logo', removeLogo);
    onForm('/remove', 'remove', remove);
  };
  onBrand('/branding', allowed('brand.set'));
  onBrand('/branding/:name{[a-z0-9_-]{3,16}}', admin);
}

async function save(c: PanelContext): Promise<Response> {
  const input = fieldsOf(brandSettings, c.var.form);
  const ownHost = new URL(c.var.deps.publicUrl).hostname;
  await setBrand(operatorContext(c), { ...resellerOf(c), ...input, ownHost });
  return saved(c, 'saved');
}

async function uploadLogo(c: PanelContext): Promise<Response> {
  let bytes = new Uint8Array();
  await limitLogo(c, async () => {
    const { logo } = await c.req.parseBody().catch((): Record<string, unknown> => ({}));
    if (logo instanceof File) bytes = new Uint8Array(await logo.arrayBuffer());
  });
  await setBrandLogo(operatorContext(c), { ...resellerOf(c), bytes });
  return saved(c, 'logoSaved');
}

async function removeLogo(c: PanelContext): Promise<Response> {
  await removeBrandLogo(operatorContext(c), resellerOf(c));
  return saved(c, 'logoRemoved');
}

async function remove(c: PanelContext): Promise<Response> {
  await removeBrand(operatorContext(c), resellerOf(c));
  return saved(c, 'removed');
}

function saved(c: PanelContext, done: 'saved' | 'logoSaved' | 'logoRemoved' | 'removed'): Response {
  c.var.deps.brands.forget();
  return goToWithNotice(c, brandPath(c), textsFor(c, brandingTexts)[done]);
}
