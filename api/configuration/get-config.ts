import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { capabilitiesOf } from '../wire/register/capabilities.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route } from '../http/route.ts';
import { globalConfigAnswer } from './global-config-answer.ts';
import { renderGlobalConfig } from './render-global-config.ts';

/**
 * The shop's settings as they hold in the store view of the path (spec 2.1, 4.1), encoded twice. Provider keys are
 * delivered in clear, so the answer is never stored.
 */
export const getConfig = route({
  method: 'GET',
  path: '/V1/pos/config',
  acl: 'Vendor_Pos::locations',
  summary: 'The global configuration, encoded twice',
  response: globalConfigAnswer,
  isDoubleEncoded: true,
  isPrivate: true,

  async handle({ em, store, settings, providers }) {
    const shop = await readShopSettings(em, store, secretBoxOf(settings));
    return renderGlobalConfig(shop, capabilitiesOf(providers));
  },
});
