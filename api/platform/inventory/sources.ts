import { z } from 'zod';
import type { Source } from '../../../db/platform/inventory/stock.entity.ts';
import { saveSource, sources, type SourceChange } from '../../../db/platform/inventory/stock-source-links.ts';
import { defaultSourceNotDisabled, sourceNotFound } from '../../../domain/refusals/inventory.ts';
import { attributeNameNotValid } from '../../../domain/refusals/platform.ts';
import { listRoute } from '../../http/route-kinds.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { readRounded } from '../../wire/criteria.ts';
import {
  derived,
  fieldsOf,
  flag,
  listOf,
  named,
  orAbsent,
  orNull,
  reference,
  text,
  within,
} from '../../wire/fields.ts';
import { scalar } from '../../wire/scalar.ts';
import { integer as sentInteger, voidAnswer } from '../../wire/schemas.ts';

const microdegrees = 1_000_000;
const mostCarriers = 100;

/** Degrees with at most six decimals, kept in microdegrees; further decimals are rounded. */
const degrees = (limit: number) => ({
  sent: scalar<number, number>({
    type: 'float',
    read: (sent) => {
      const rounded = readRounded(sent, 6);
      if (rounded === undefined || Math.abs(Number(rounded)) > limit) return undefined;
      return Math.round(Number(rounded) * microdegrees);
    },
    write: (value) => value / microdegrees,
    json: { type: 'number', minimum: -limit, maximum: limit },
  }),
  answer: z.number(),
  show: (stored: number) => stored / microdegrees,
});

const short = orAbsent(text());
const long = orAbsent(text(65_535));

/** A place that holds goods; what is null is left out of answers (platform facts 4.3, 10). */
const source = fieldsOf(
  {
    source_code: text(64),
    name: text(),
    email: short,
    contact_name: short,
    enabled: named('isEnabled', flag()),
    country_id: text(2),
    region_id: orAbsent(reference()),
    region: short,
    city: short,
    street: short,
    postcode: short,
    phone: short,
    fax: short,
    description: long,
    latitude: named('latitudeMicrodegrees', orAbsent(degrees(90))),
    longitude: named('longitudeMicrodegrees', orAbsent(degrees(180))),
    use_default_carrier_config: flag(),
    carrier_links: listOf(
      { carrier_code: text(), position: { sent: sentInteger.default(0), answer: z.int() } },
      mostCarriers,
    ),
    /** What customers who fetch their goods read of it. */
    extension_attributes: within({
      is_pickup_location_active: flag(),
      frontend_name: derived((of: Source) => of.frontendName ?? of.name, { ...orNull(text()), answer: z.string() }),
      frontend_description: long,
    }),
  },
  'Source',
);

/** Sources; without criteria all of them (platform facts 3.1, 10). */
const listSources = listRoute({
  path: '/V1/inventory/sources',
  acl: 'Platform_InventoryApi::source',
  summary: 'Search sources',
  name: 'listSources',
  description: 'Places that hold goods. Without criteria all of them.',
  outcomes: [attributeNameNotValid],
  answer: source.answer,
  isWholeByDefault: true,
  find: sources.search,
  render: source.render,
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
  response: source.answer,

  handle: async ({ em, params: { sourceCode } }) => source.render(await sources.find(em, sourceCode)),
});

const sourceBody = z.object({ source: source.sent });

/** The requested change; a source code in the path wins over the body. */
function toSourceChange({ source: sent }: z.output<typeof sourceBody>, sourceCode?: string): SourceChange {
  const draft = source.draft(sent);
  return { ...draft, sourceCode: sourceCode ?? draft.sourceCode ?? '' };
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
