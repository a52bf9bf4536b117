import type { EntityManager } from '@mikro-orm/postgresql';
import type { CartSettings } from '../../../domain/platform/carts/shop-choices.ts';
import type { TaxPlace } from '../../../domain/platform/carts/tax-percent.ts';
import { integer } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { CustomerAddress } from '../customers/customer.entity.ts';
import type { Cart } from './read-cart.ts';

const readUsual = statement({
  takes: { customerId: integer },
  gives: of(CustomerAddress, 'countryId', 'regionId', 'postcode'),
  text: `
    select a.country_id, a.region_id, a.postcode from customer c
      join customer_address a on a.customer_id = c.id and a.id in (c.default_shipping, c.default_billing)
    where c.id = $customerId order by a.id = c.default_shipping desc limit 1`,
});

/**
 * The place where a cart is taxed (platform facts 9.5). It is the shipping address, or the billing address when nothing
 * is shipped. Without that, it is the customer's default address, and without that, the shop's.
 */
export async function findTaxPlace(em: EntityManager, cart: Cart, settings: CartSettings): Promise<TaxPlace> {
  const given = cart.isVirtual ? cart.billing : (cart.shipping ?? cart.billing);
  if (given?.countryId) return { countryId: given.countryId, regionId: given.regionId, postcode: given.postcode };
  const usual = cart.customerId === null ? undefined : await readUsual.first(em, { customerId: cart.customerId });
  if (usual) return usual;
  const region = settings['general/store_information/region_id'];
  return {
    countryId: settings['general/store_information/country_id'],
    regionId: /^\d{1,9}$/.test(region) ? Number(region) : null,
    postcode: settings['general/store_information/postcode'],
  };
}
