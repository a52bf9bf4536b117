import type { EntityManager } from '@mikro-orm/postgresql';
import { parseAmount, zero, type Amount } from '../../domain/money/amount.ts';
import { readShopSettings } from '../configuration/read-shop-settings.ts';
import type { SecretBox } from '../support/secret-box.ts';

/** None of these is sealed. */
const nothingSealed: SecretBox = { seal: () => '', open: () => '', digest: () => '' };

const processors = ['provider_a', 'provider_b', 'provider_c'] as const;

export interface OpsSettings {
  /** Above this sum in the base currency a second person says the same; undefined: never. */
  twoPeopleAbove: Amount | undefined;
  /** The page of a payment at its processor; undefined where none is set, or where it is no address. */
  portalOf(paymentMethod: string, reference: string): string | undefined;
}

/** The settings of the operator's page in a store view. */
export async function readOpsSettings(em: EntityManager, storeId: number): Promise<OpsSettings> {
  const settings = await readShopSettings(em, { storeId }, nothingSealed, [
    'vendor_pos_advanced/ops/two_people_above',
    ...processors.flatMap((one) => [
      `vendor_pos_advanced/ops/portal_${one}`,
      `vendor_pos_terminal/${one}/magento_method`,
    ]),
  ]);
  const above = settings.text('vendor_pos_advanced/ops/two_people_above').trim();
  return {
    // What is no sum is taken as the strictest one.
    twoPeopleAbove: above === '' ? undefined : (parseAmount(above) ?? zero),
    portalOf(paymentMethod, reference) {
      const one = processors.find(
        (name) => settings.text(`vendor_pos_terminal/${name}/magento_method`) === paymentMethod,
      );
      const address = one && settings.text(`vendor_pos_advanced/ops/portal_${one}`).trim();
      // Only an address of the web: nothing that a browser would run.
      if (!address || !/^https?:\/\//.test(address)) return undefined;
      return address.replaceAll('%1', encodeURIComponent(reference));
    },
  };
}
