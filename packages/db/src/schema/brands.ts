/** How the panel looks for customers of the installation or of one reseller. */
export interface BrandsTable {
  /** The reseller's user id; 0 for the installation. */
  scope_id: number;
  name: string;
  /** `#rrggbb`. Null: the color of the product. */
  color: string | null;
  support_url: string | null;
  /** The host name under which visitors see this brand before they sign in. */
  host: string | null;
  /** First 128 bits of the logo's SHA-256, in hexadecimal. */
  logo_hash: string | null;
  logo_type: string | null;
  logo: Buffer | null;
  updated_at: Date;
}
