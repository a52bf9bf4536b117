import { z } from 'zod';
import { builtInSetting } from '../../domain/configuration/meaning-of-setting.ts';
import { isKnownResource, likelyResources } from '../../domain/platform/access.ts';
import { attributeInputs, isAttributeCode, isOfPlatform } from '../../domain/platform/catalog/product-attributes.ts';
import { findCountry } from '../../domain/platform/directory.ts';
import { shopSettings } from '../../domain/shop.ts';
import { legacyPermissionKeys, permissionKeys } from '../../domain/staff.ts';
import { isTimeZone } from '../../domain/local-day.ts';

const code = z.string().regex(/^[a-zA-Z]\w{0,31}$/, 'is no code: a letter, then letters, digits and _');
const name = z.string().trim().min(1).max(255);

const flag = z.boolean().optional();

/** The settings of an attribute, by the keys that callers of the platform have (platform facts 9.1). */
const attributeSettings = z.strictObject({
  default_value: z.string().max(4_000).optional().describe('What a new product has. Of a choice: see `defaults`.'),
  note: z.string().max(255).optional(),
  frontend_class: z.string().max(255).optional(),
  apply_to: z.array(z.string().max(32)).max(100).optional().describe('The types of products that have it; none: all.'),
  validation_rules: z.array(z.unknown()).max(100).optional(),
  is_searchable: flag,
  is_visible_in_advanced_search: flag,
  is_comparable: flag,
  is_used_for_promo_rules: flag,
  is_visible_on_front: flag,
  used_in_product_listing: flag,
  is_visible: flag,
  is_filterable: flag,
  is_filterable_in_search: flag,
  is_used_in_grid: flag,
  is_visible_in_grid: flag,
  is_filterable_in_grid: flag,
  used_for_sort_by: flag,
  is_wysiwyg_enabled: flag,
  is_html_allowed_on_front: flag,
  position: z.int().optional(),
});

const viewLabels = z.record(code, name).describe('By the codes of store views.');
const attributeCode = z
  .string()
  .refine(isAttributeCode, 'is no code: a small letter, then small letters, digits and _');

/** What the platform says of its own attributes. */
const platformsOwn = ['input', 'scope', 'isRequired', 'isUnique'] as const;

const attributeFields = z.strictObject({
  code: attributeCode,
  input: z
    .enum(attributeInputs.map(({ value }) => value))
    .optional()
    .describe('How its values are typed in; without one: a line of text. It stays as it is.'),
  label: name.optional(),
  labels: viewLabels.optional(),
  scope: z.enum(['global', 'website', 'store']).optional().describe('How far a value holds.'),
  isRequired: z.boolean().optional().describe('New products of its sets need a value.'),
  isUnique: z.boolean().optional().describe('One product alone may have a value.'),
  settings: attributeSettings.optional().describe('All of them; one that is left out is as usual.'),
  options: z
    .array(z.strictObject({ label: name, labels: viewLabels.optional() }))
    .max(1_000)
    .optional()
    .describe('All of them, in their order. One that products have stays.'),
  defaults: z.array(name).max(1_000).optional().describe('The labels of the options that a new product has.'),
});

/** An attribute of products in a shop file. */
const attribute = attributeFields.superRefine((reply, context) => {
  if (!isOfPlatform(reply.code)) return;
  for (const field of platformsOwn)
    if (reply[field] !== undefined)
      context.addIssue({
        code: 'custom',
        path: [field],
        message: `is the platform’s to say of ${reply.code}: leave it out`,
      });
});

/** A set of attributes in a shop file. */
const attributeSet = z.strictObject({
  name,
  sortOrder: z.int().min(0).optional(),
  groups: z
    .array(
      z.strictObject({
        name,
        code: z
          .string()
          .regex(/^[\w-]{1,255}$/, 'is no code')
          .optional()
          .describe('Without one: made from the name.'),
        sortOrder: z.int().min(0).optional(),
        attributes: z.array(attributeCode).max(1_000).describe('All of them, in their order.'),
      }),
    )
    .max(200)
    .optional()
    .describe('All of them. A new set without groups has those of the default set.'),
});

const role = z.strictObject({
  name,
  permissions: z.array(z.enum([...permissionKeys, ...legacyPermissionKeys])).max(100),
  isActive: z.boolean().optional(),
});

const member = z.strictObject({
  email: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'is no e-mail address')
    .max(255),
  firstName: name,
  lastName: name,
  role: name.describe('The name of a role.'),
  locations: z.array(z.string()).max(1_000).optional().describe('The codes of the locations where they work.'),
  allLocations: z.boolean().optional(),
  isActive: z.boolean().optional().describe('false: they left.'),
});

const administrator = z.strictObject({
  username: name.max(40),
  email: z.string().max(128),
  firstName: name.max(64).optional(),
  lastName: name.max(64).optional(),
  resources: z
    .array(
      z
        .string()
        .regex(/^\w+::\w+$/, { message: 'is no resource such as Vendor_Pos::locations', abort: true })
        .refine(isKnownResource, {
          error: ({ input }) =>
            `is a resource that no route asks for; perhaps it is one of: ${likelyResources(String(input))}`,
        }),
    )
    .max(200)
    .optional(),
  isActive: z.boolean().optional(),
});

const text = z.string().max(2_000).nullable();
const country = z
  .string()
  .regex(/^[A-Z]{2}$/, { message: 'is no country: two capital letters', abort: true })
  .refine((id) => findCountry(id) !== undefined, 'is no country of ISO 3166');
const currency = z.string().regex(/^[A-Z]{3}$/, 'is no currency: three capital letters');
/** In YAML, both 8 and "8" are accepted. */
const decimal = z
  .union([z.number().min(0), z.string().regex(/^\d{1,12}(?:\.\d{1,12})?$/, 'is no decimal')])
  .transform(String);

const place = {
  countryId: country.nullable().optional(),
  region: text.optional().describe('The code of the directory, such as NY, or a name.'),
  city: text.optional(),
  street: text.optional(),
  postcode: text.optional(),
  phone: text.optional(),
};

const storeView = z.strictObject({
  code,
  name: name.optional(),
  currencyCode: currency,
  currencyRate: decimal.optional().describe('One unit of the base currency of the website in this currency.'),
  locale: z
    .string()
    .regex(/^[a-z]{2,3}(?:_[A-Z][a-z]{3})?_[A-Z]{2}$/, { message: 'is no locale such as en_US', abort: true })
    .refine(isLocale, 'is no locale: there is no such language or country')
    .optional(),
  isActive: z.boolean().optional(),
  sortOrder: z.int().min(0).optional(),
});

const storeGroup = z.strictObject({
  code,
  name: name.optional(),
  rootCategoryId: z.int().min(1).optional().describe('2 is the category that every tree of goods hangs from.'),
  defaultView: code.optional().describe('Without one: the first view.'),
  views: z.array(storeView).min(1).max(200),
});

const website = z.strictObject({
  code,
  name: name.max(64).optional(),
  baseCurrencyCode: currency.describe('The website keeps its books in it; it cannot change once there are orders.'),
  timeZone: z.string().refine(isTimeZone, 'is no time zone such as Europe/Berlin').optional(),
  isDefault: z.boolean().optional(),
  defaultGroup: code.optional().describe('Without one: the first group.'),
  groups: z.array(storeGroup).min(1).max(50),
});

const source = z.strictObject({
  code: z.string().regex(/^\S{1,64}$/, 'is no code'),
  name,
  isEnabled: z.boolean().optional(),
  ...place,
  countryId: country,
  postcode: z.string().min(1).max(255),
  email: text.optional(),
  contactName: text.optional(),
});

const stock = z.strictObject({
  name,
  websites: z.array(code).max(100).describe('Which websites sell from it.'),
  sources: z.array(z.string()).max(1_000).describe('In the order in which they sell.'),
});

const taxRate = z.strictObject({
  code: name.max(64).describe('For people, and on the orders it was applied to.'),
  countryId: country,
  region: text.optional().describe('Without one: the whole country.'),
  taxClassId: z.int().min(1).describe('The class of goods; 2 is taxable goods.'),
  percent: decimal,
});

const customerGroup = z.strictObject({ code: name.max(32), taxClassId: z.int().min(1).optional() });

const settingValue = z
  .union([z.string().max(65_536), z.number(), z.boolean()])
  .transform((value) => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value)));
const settings = z.strictObject(
  Object.fromEntries(
    shopSettings.map((path) => [path, settingValue.optional().describe(`Built in: "${builtInSetting(path) ?? ''}".`)]),
  ),
);

const overrides = z.record(z.string(), z.unknown()).describe('Keys of the configuration that registers get.');

const location = z.strictObject({
  code: z.string().min(1).max(64),
  name,
  website: code.nullable().optional(),
  storeView: code.nullable().optional(),
  source: text.optional().describe('What is sold here leaves it.'),
  damagedSource: text.optional().describe('Damaged goods come back to it.'),
  isActive: z.boolean().optional(),
  ...place,
  vatNumber: text.optional(),
  paymentMethods: text.optional().describe('Codes with commas between; none: those of the website.'),
  receiptHeader: text.optional(),
  receiptFooter: text.optional(),
  configOverrides: overrides.optional(),
  terminals: z
    .array(z.strictObject({ name, isActive: z.boolean().optional(), configOverrides: overrides.optional() }))
    .max(500)
    .optional(),
});

export const shopFile = z.strictObject({
  $schema: z.string().optional(),
  websites: z.array(website).max(100).optional(),
  sources: z.array(source).max(10_000).optional(),
  stocks: z.array(stock).max(1_000).optional(),
  taxRates: z.array(taxRate).max(10_000).optional(),
  customerGroups: z.array(customerGroup).max(1_000).optional(),
  attributes: z.array(attribute).max(10_000).optional(),
  attributeSets: z.array(attributeSet).max(1_000).optional(),
  settings: z
    .strictObject({
      default: settings.optional(),
      websites: z.record(code, settings).optional(),
      storeViews: z.record(code, settings).optional(),
    })
    .optional(),
  roles: z.array(role).max(1_000).optional(),
  locations: z.array(location).max(10_000).optional(),
  staff: z
    .array(member)
    .max(10_000)
    .optional()
    .describe('People at the registers. Whoever is not named stays. Passcodes: pos staff reset-passcode.'),
  administrators: z
    .array(administrator)
    .max(1_000)
    .optional()
    .describe('Who should be there. They are made by: pos user create.'),
});

export type ShopFile = z.infer<typeof shopFile>;
export type ShopFileInput = z.input<typeof shopFile>;

/** The schema with which editors complete and check a file. */
export const shopSchema = () => ({
  title: 'A shop, as npm run pos -- shop apply makes it',
  ...z.toJSONSchema(shopFile, { io: 'input', reused: 'ref' }),
});

function isLocale(locale: string): boolean {
  const [language = '', ...others] = locale.split('_');
  const name = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(language);
  return name !== undefined && findCountry(others.at(-1) ?? '') !== undefined;
}
