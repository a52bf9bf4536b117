import { z } from 'zod';
import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { readFixedTaxAttributes } from '../../db/platform/catalog/read-attributes-of-set.ts';
import { readOrderStatuses } from '../../db/platform/orders/read-order-statuses.ts';
import { postcodePatterns } from '../../domain/platform/directory.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { route } from '../http/route.ts';
import { capabilitiesOf } from '../wire/register/capabilities.ts';
import { globalConfigAnswer, renderGlobalConfig } from './render-global-config.ts';

/** The shop's settings as they hold in the store view of the path (spec 2.1, 4.1), encoded twice. */
export const getConfig = route({
  method: 'GET',
  path: '/V1/pos/config',
  acl: 'Vendor_Pos::locations',
  summary: 'The global configuration, encoded twice',
  name: 'getConfig',
  description: `The settings of the shop as they hold in the store view of the path. A register reads them with its
    terminal’s configuration; call this one where no terminal is set up yet. The answer is a JSON text inside JSON:
    parse it twice. Keys of card providers are in clear.`,
  outcomes: [],
  response: globalConfigAnswer,
  isDoubleEncoded: true,
  isPrivate: true,

  async handle({ em, store, settings, providers }) {
    const shop = await readShopSettings(em, store, secretBoxOf(settings));
    const fixedTaxes = await readFixedTaxAttributes(em, store.storeId);
    return renderGlobalConfig(shop, capabilitiesOf(providers), fixedTaxes);
  },
});

const patternAnswer = z.object({ pattern: z.string(), example: z.string() }).meta({ id: 'PostcodePattern' });

/**
 * What postcodes look like, by country, encoded twice (spec 2.18, 4.1): a postcode is good when any of its country's
 * patterns matches.
 */
export const getPostcodePatterns = route({
  method: 'GET',
  path: '/V1/pos/postcode-patterns',
  acl: 'Vendor_Pos::locations',
  summary: 'Postcode patterns by country, encoded twice',
  name: 'getPostcodePatterns',
  description: `A postcode is good where one pattern of its country matches. A country that is not there has no
    rule. The answer is a JSON text inside JSON: parse it twice. It changes with releases only.`,
  outcomes: [],
  response: z.record(z.string(), z.array(patternAnswer)),
  isDoubleEncoded: true,

  handle: async () => postcodePatterns,
});

/**
 * The rows are our choice (spec 4.1 shows none): the code a location keeps, its label, and the states it belongs to.
 */
const orderStatusAnswer = z
  .object({
    status: z.string(),
    label: z.string(),
    states: z.array(z.string()),
    is_default: z.boolean(),
  })
  .meta({ id: 'OrderStatus' });

/** Every order status as a plain list, a merchant's own included, for `pickup_completed_status_code` (spec 4.1). */
export const listOrderStatuses = route({
  method: 'GET',
  path: '/V1/pos/order-statuses',
  acl: 'Vendor_Pos::locations',
  summary: 'Every order status',
  name: 'listOrderStatuses',
  description: `Every status that an order may have, the merchant’s own among them. Locations name one of them in
    \`pickup_completed_status_code\`.`,
  outcomes: [],
  response: z.array(orderStatusAnswer),

  handle: async ({ em }) =>
    (await readOrderStatuses(em)).map((row) => ({
      status: row.status,
      label: row.label,
      states: row.states,
      is_default: row.is_default,
    })),
});
