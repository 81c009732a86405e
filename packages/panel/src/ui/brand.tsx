import { type Brand, productBrand } from '@innkeeper/services';
import { logoPath } from '../assets/brand-files.ts';
import type { PanelContext } from '../env.ts';
import { Logo } from './icon.tsx';

/** The brand of the page. An error before the session was read shows the product's. */
export function brandOf(c: PanelContext): Brand {
  return c.var.brand ?? productBrand;
}

/** Logo and name, with a link to the home page. */
export function BrandLink({ c }: { c: PanelContext }) {
  const { name, logo_hash } = brandOf(c);
  return (
    <a class="brand" href="/">
      {logo_hash === null ? <Logo /> : <img class="brand-image" src={logoPath(logo_hash)} alt="" />}
      <span class="cut">{name}</span>
    </a>
  );
}
