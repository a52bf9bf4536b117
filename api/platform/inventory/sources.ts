import { z } from 'zod';
import type { Source } from '../../../db/platform/inventory/stock.entity.ts';
import { saveSource, sources, type SourceChange } from '../../../db/platform/inventory/stock-source-links.ts';
import { defaultSourceNotDisabled, sourceNotFound } from '../../../domain/refusals/inventory.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { listRoute } from '../../http/route-kinds.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { readRounded } from '../../wire/criteria.ts';
import { scalar } from '../../wire/scalar.ts';
import { flag, integer, payload, recordId, text, voidAnswer } from '../../wire/schemas.ts';

const optionalText = z.string().optional();

const sourceAnswer = z
  .object({
    source_code: z.string(),
    name: z.string(),
    email: optionalText,
    contact_name: optionalText,
    enabled: z.boolean(),
    country_id: z.string(),
    region_id: z.int().optional(),
    region: optionalText,
    city: optionalText,
    street: optionalText,
    postcode: optionalText,
    phone: optionalText,
    fax: optionalText,
    description: optionalText,
    latitude: z.number().optional(),
    longitude: z.number().optional(),
    use_default_carrier_config: z.boolean(),
    carrier_links: z.array(z.object({ carrier_code: z.string(), position: z.int() })),
    extension_attributes: z.object({
      is_pickup_location_active: z.boolean(),
      frontend_name: z.string(),
      frontend_description: optionalText,
    }),
  })
  .meta({ id: 'Source' });

/** A source; nulls are left out (platform facts 4.3, 10). */
const renderSource = (row: Source): z.input<typeof sourceAnswer> => ({
  source_code: row.sourceCode,
  name: row.name,
  ...(row.email == null ? {} : { email: row.email }),
  ...(row.contactName == null ? {} : { contact_name: row.contactName }),
  enabled: row.isEnabled,
  country_id: row.countryId,
  ...(row.regionId == null ? {} : { region_id: row.regionId }),
  ...(row.region == null ? {} : { region: row.region }),
  ...(row.city == null ? {} : { city: row.city }),
  ...(row.street == null ? {} : { street: row.street }),
  ...(row.postcode == null ? {} : { postcode: row.postcode }),
  ...(row.phone == null ? {} : { phone: row.phone }),
  ...(row.fax == null ? {} : { fax: row.fax }),
  ...(row.description == null ? {} : { description: row.description }),
  ...(row.latitudeMicrodegrees == null ? {} : { latitude: row.latitudeMicrodegrees / 1_000_000 }),
  ...(row.longitudeMicrodegrees == null ? {} : { longitude: row.longitudeMicrodegrees / 1_000_000 }),
  use_default_carrier_config: row.useDefaultCarrierConfig,
  carrier_links: row.carrierLinks.map(({ carrierCode, position }) => ({ carrier_code: carrierCode, position })),
  extension_attributes: {
    is_pickup_location_active: row.isPickupLocationActive,
    frontend_name: row.frontendName ?? row.name,
    ...(row.frontendDescription == null ? {} : { frontend_description: row.frontendDescription }),
  },
});

/** Sources; without criteria all of them (platform facts 3.1, 10). */
const listSources = listRoute({
  path: '/V1/inventory/sources',
  acl: 'Platform_InventoryApi::source',
  summary: 'Search sources',
  name: 'listSources',
  description: 'Places that hold goods. Without criteria all of them.',
  outcomes: [attributeNameNotValid],
  answer: sourceAnswer,
  isWholeByDefault: true,
  find: sources.search,
  render: renderSource,
});

/** One source (platform facts 10). */
const getSource = route({
  method: 'GET',
  path: '/V1/inventory/sources/:sourceCode',
  acl: 'Platform_InventoryApi::source',
  summary: 'One source',
  name: 'getSource',
  description: 'One place that holds goods, by its code.',
  outcomes: [sourceNotFound],
  params: z.object({ sourceCode: z.string() }),
  response: sourceAnswer,

  handle: async ({ em, params: { sourceCode } }) => renderSource(await sources.find(em, sourceCode)),
});

const sentText = text(255).nullable().optional();

const microdegrees = 1_000_000;
const mostCarriers = 100;

const longText = text(65_535).nullable().optional();

/** Degrees with at most six decimals, in microdegrees; further decimals are rounded. */
const degrees = (limit: number) =>
  scalar<number, number>({
    type: 'float',
    read: (sent) => {
      const rounded = readRounded(sent, 6);
      if (rounded === undefined || Math.abs(Number(rounded)) > limit) return undefined;
      return Math.round(Number(rounded) * microdegrees);
    },
    write: (value) => value / microdegrees,
    json: { type: 'number', minimum: -limit, maximum: limit },
  })
    .nullable()
    .optional();

/** What customers who fetch their goods read of a source. */
const pickup = payload({
  isPickupLocationActive: flag.optional(),
  frontendName: sentText,
  frontendDescription: longText,
});

/** A source that a caller sends: what a read answered may be sent back. */
const source = payload({
  sourceCode: text(64).optional(),
  name: text(255).optional(),
  enabled: flag.optional(),
  countryId: text(2).optional(),
  regionId: recordId.nullable().optional(),
  region: sentText,
  city: sentText,
  street: sentText,
  postcode: sentText,
  phone: sentText,
  email: sentText,
  contactName: sentText,
  useDefaultCarrierConfig: flag.optional(),
  latitude: degrees(90),
  longitude: degrees(180),
  description: longText,
  fax: sentText,
  carrierLinks: z
    .array(payload({ carrierCode: text(255), position: integer.default(0) }))
    .max(mostCarriers)
    .optional(),
  extensionAttributes: pickup.optional(),
}).meta({ id: 'Source' });

const sourceBody = z.object({ source });

/** The requested change; a source code in the path wins over the body. */
function toSourceChange({ source: sent }: z.output<typeof sourceBody>, sourceCode?: string): SourceChange {
  const { enabled, latitude, longitude, extensionAttributes, ...columns } = sent;
  return {
    ...columns,
    ...extensionAttributes,
    isEnabled: enabled,
    latitudeMicrodegrees: latitude,
    longitudeMicrodegrees: longitude,
    sourceCode: sourceCode ?? sent.sourceCode ?? '',
  };
}

const outcomes: readonly Outcome[] = [
  {
    status: 400,
    message: 'Validation Failed',
    when: 'No code, name, postcode or country, or a blank in the code; `errors` lists all that is wrong.',
    then: 'Send what is missing.',
  },
  defaultSourceNotDisabled,
];

const newShop = {
  source: {
    source_code: 'shop_berlin',
    name: 'Shop Berlin',
    enabled: true,
    country_id: 'DE',
    postcode: '10115',
    city: 'Berlin',
  },
};

/**
 * Creates a source, or changes the one with this code (platform facts 10). A repeat changes nothing.
 *
 * Refused with 400: no code, name, postcode or country · the default source switched off.
 */
const createSource = route({
  name: 'createSource',
  method: 'POST',
  path: '/V1/inventory/sources',
  acl: 'Platform_InventoryApi::source_edit',
  summary: 'Open a source',
  description: `A source is a place that holds goods: a shop floor, a warehouse. One with the same code is changed;
    what is left out stays. It sells nothing until a stock is linked to it.`,
  outcomes,
  examples: [{ title: 'A new shop', body: newShop, response: [] }],
  body: sourceBody,
  response: voidAnswer,

  async handle({ em, body }): Promise<[]> {
    await saveSource(em, toSourceChange(body));
    return [];
  },
});

/** As `createSource`, with the code in the path. */
const updateSource = route({
  name: 'updateSource',
  method: 'PUT',
  path: '/V1/inventory/sources/:sourceCode',
  acl: 'Platform_InventoryApi::source_edit',
  summary: 'Change a source',
  description: 'Changes what is sent and leaves the rest. The code in the path beats the one in the body.',
  outcomes,
  examples: [
    {
      title: 'Closed for now',
      params: { sourceCode: 'shop_berlin' },
      body: { source: { enabled: false } },
      response: [],
    },
  ],
  params: z.object({ sourceCode: z.string().max(64) }),
  body: sourceBody,
  response: voidAnswer,

  async handle({ em, params: { sourceCode }, body }): Promise<[]> {
    await saveSource(em, toSourceChange(body, sourceCode));
    return [];
  },
});

/** Places that hold goods (platform facts 10). */
export const sourceRoutes: readonly AnyRoute[] = [listSources, getSource, createSource, updateSource];
