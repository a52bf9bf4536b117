import { inParallel } from './in-parallel.ts';
import { centsOf, emailOf, skuOf, type Answer, type PeerWish } from './peer.ts';

/** Calls Medusa's Admin API. */
export type MedusaAsk = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

/** What sales are made of. */
export interface MedusaShop {
  variants: string[];
  customers: string[];
  regionId: string;
  channelId: string;
  locationId: string;
  shippingOptionId: string;
}

/** A place with one way to hand over, products and customers. */
export async function seedMedusa(ask: MedusaAsk, { size, say }: PeerWish): Promise<MedusaShop> {
  const { sales_channel: channel } = await ask('POST', '/admin/sales-channels', { name: 'Counter' });
  const { stock_location: location } = await ask('POST', '/admin/stock-locations', {
    name: 'Shop',
    address: { address_1: '1 Main St', country_code: 'US' },
  });
  const at = `/admin/stock-locations/${location.id}`;
  await ask('POST', `${at}/sales-channels`, { add: [channel.id] });
  await ask('POST', `${at}/fulfillment-providers`, { add: ['manual_manual'] });
  const { region } = await ask('POST', '/admin/regions', {
    name: 'US',
    currency_code: 'usd',
    countries: ['us'],
    payment_providers: ['pp_system_default'],
  });
  const rate = { name: 'NY', rate: 8, code: 'ny' };
  await ask('POST', '/admin/tax-regions', { country_code: 'us', provider_id: 'tp_system', default_tax_rate: rate });
  const { shipping_profiles: profiles } = await ask('GET', '/admin/shipping-profiles');
  const profile = profiles[0].id;
  await ask('POST', `${at}/fulfillment-sets`, { name: 'Counter', type: 'pickup' });
  const { stock_location: made } = await ask('GET', `${at}?fields=*fulfillment_sets`);
  const { fulfillment_set: set } = await ask(
    'POST',
    `/admin/fulfillment-sets/${made.fulfillment_sets[0].id}/service-zones`,
    { name: 'US', geo_zones: [{ type: 'country', country_code: 'us' }] },
  );
  const { shipping_option: option } = await ask('POST', '/admin/shipping-options', {
    name: 'At the counter',
    service_zone_id: set.service_zones[0].id,
    shipping_profile_id: profile,
    provider_id: 'manual_manual',
    price_type: 'flat',
    type: { label: 'Counter', description: 'At the counter', code: 'counter' },
    prices: [{ currency_code: 'usd', amount: 0 }],
    rules: [],
  });
  say('Medusa: products and customers …');
  const variants = await inParallel(size.products, async (n) => {
    const { product } = await ask('POST', '/admin/products', {
      title: `Product number ${n}`,
      description: 'A fine product. '.repeat(6),
      status: 'published',
      shipping_profile_id: profile,
      sales_channels: [{ id: channel.id }],
      options: [{ title: 'Kind', values: ['One'] }],
      variants: [
        {
          title: 'One',
          sku: skuOf(n),
          manage_inventory: true,
          options: { Kind: 'One' },
          prices: [{ currency_code: 'usd', amount: centsOf(n) / 100 }],
        },
      ],
    });
    const { product: stocked } = await ask('GET', `/admin/products/${product.id}?fields=*variants.inventory_items`);
    const item = stocked.variants[0].inventory_items[0].inventory_item_id;
    const level = { location_id: location.id, stocked_quantity: 1_000_000 };
    await ask('POST', `/admin/inventory-items/${item}/location-levels`, level);
    return product.variants[0].id;
  });
  const customers = await inParallel(size.customers, async (n) => {
    const wished = { email: emailOf(n), first_name: 'Ada', last_name: `Number ${n}` };
    return (await ask('POST', '/admin/customers', wished)).customer.id;
  });
  return {
    variants,
    customers,
    regionId: region.id,
    channelId: channel.id,
    locationId: location.id,
    shippingOptionId: option.id,
  };
}
