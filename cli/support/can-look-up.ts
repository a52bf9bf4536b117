import type { EntityManager } from '@mikro-orm/postgresql';
import { readGatewaySettings } from '../../db/configuration/read-gateway-settings.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { createGateways } from '../../providers/gateways/gateways.ts';
import type { PaidOrder } from '../../providers/gateways/payment-gateway.ts';

/** No gateway is called here, so no secret is needed to see what can be looked up. */
const closedBox: SecretBox = { seal: () => '', open: () => '', digest: () => '' };
const nowhere = 'http://gateway.invalid';

/** Whether the gateway of a payment answers look-ups; false where none is configured for it any more. */
export async function canLookUp(em: EntityManager, payment: PaidOrder): Promise<boolean> {
  const gateways = createGateways({
    simulatorUrl: nowhere,
    loadSettings: (storeId) => readGatewaySettings(em, storeId, closedBox),
  });
  return (await gateways.for(payment))?.canLookUp ?? false;
}
