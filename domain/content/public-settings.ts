/** Settings that content may show to everyone by `{{config path="…"}}`. Every other path shows nothing. */
export const publicSettingPaths = [
  'general/store_information/name',
  'general/store_information/phone',
  'general/store_information/hours',
  'general/store_information/country_id',
  'general/store_information/region_id',
  'general/store_information/postcode',
  'general/store_information/city',
  'general/store_information/street_line1',
  'general/store_information/street_line2',
  'general/store_information/merchant_vat_number',
  'trans_email/ident_general/name',
  'trans_email/ident_general/email',
  'trans_email/ident_sales/name',
  'trans_email/ident_sales/email',
  'trans_email/ident_support/name',
  'trans_email/ident_support/email',
  'web/unsecure/base_url',
  'web/secure/base_url',
] as const;

/** Values by path; a path without a value is absent. */
export type PublicSettings = ReadonlyMap<string, string>;

/**
 * The address of a page of the shop. Without a base address it begins at the root of the site that shows the content.
 */
export function addressIn(settings: PublicSettings, path: string): string {
  const base = settings.get('web/secure/base_url') || settings.get('web/unsecure/base_url') || '/';
  const plain = path.replace(/^[/\\]+/, '');
  // Refuses another scheme, another host and a parent folder.
  if (/^[^/?#]*:|\\|(?:^|\/)\.\.(?:\/|$)/.test(plain)) return base;
  return (base.endsWith('/') ? base : `${base}/`) + plain;
}
