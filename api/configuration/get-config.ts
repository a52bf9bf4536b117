import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { readFixedTaxAttributes } from '../../db/platform/catalog/fixed-tax-attributes.ts';
import { capabilitiesOf } from '../wire/register/capabilities.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route } from '../http/route.ts';
import { globalConfigAnswer } from './global-config-answer.ts';
import { renderGlobalConfig } from './render-global-config.ts';

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
