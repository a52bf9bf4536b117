import type { EntityManager } from '@mikro-orm/postgresql';
import { readGatewaySettings } from '../../db/configuration/read-gateway-settings.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { createGateways } from '../../providers/gateways/gateways.ts';
import type { PaidOrder } from '../../providers/gateways/payment-gateway.ts';

/** Nobody is called here, so no key is opened: an operator needs none to see what can be asked. */
const closedBox: SecretBox = { seal: () => '', open: () => '', digest: () => '' };
const nowhere = 'http://gateway.invalid';

/** Whether the gateway of a payment can be asked what became of a refund; false where none is set up for it any more. */
export async function canLookUp(em: EntityManager, payment: PaidOrder): Promise<boolean> {
  const gateways = createGateways({
    simulatorUrl: nowhere,
    loadSettings: (storeId) => readGatewaySettings(em, storeId, closedBox),
  });
  return (await gateways.for(payment))?.canLookUp ?? false;
}
