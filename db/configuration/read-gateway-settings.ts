import type { EntityManager } from '@mikro-orm/postgresql';
import {
  cardPaymentDefaults,
  gatewaySettings,
  type GatewaySettings,
} from '../../domain/configuration/setting-defaults.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { readShopSettings } from './read-shop-settings.ts';

const gatewayPaths = Object.keys(cardPaymentDefaults);

/** The card processors' settings in a store view. */
export const readGatewaySettings = async (
  em: EntityManager,
  storeId: number,
  box: SecretBox,
): Promise<GatewaySettings> => gatewaySettings(await readShopSettings(em, { storeId }, box, gatewayPaths));
