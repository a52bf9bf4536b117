import type { TestApi } from '../api.ts';
import { ownAttributes } from '../attribute-token.ts';

/**
 * Makes the `SHIRT` of `aCartShop` one in two colours (4 red, 5 blue) and two sizes (1 M, 2 L): `RED-M` at 30, `RED-L`
 * at 32, `BLUE-M` at 34. Of each 10 lie on the floor. A blue one in L was never made.
 *
 * @returns how a caller chooses
 */
export async function aShirtInSizes(api: TestApi) {
  const admin = (method: string, path: string, body: unknown) =>
    api.call(method, path, { token: api.tokens.admin, body });
  await ownAttributes(api, { size: 'text' });
  const variants = [
    { sku: 'RED-M', price: 30, color: '4', size: '1' },
    { sku: 'RED-L', price: 32, color: '4', size: '2' },
    { sku: 'BLUE-M', price: 34, color: '5', size: '1' },
  ];
  for (const { sku, price, color, size } of variants) {
    const custom_attributes = [
      { attribute_code: 'color', value: color },
      { attribute_code: 'size', value: size },
    ];
    const extension_attributes = { website_ids: [1] };
    const product = { sku, name: `Shirt ${sku}`, price, weight: 0.2, custom_attributes, extension_attributes };
    await admin('POST', '/V1/products', { product });
    const sourceItems = [{ sku, source_code: 'floor', quantity: 10, status: 1 }];
    await admin('POST', '/V1/inventory/source-items', { sourceItems });
  }
  for (const [position, code] of ['color', 'size'].entries()) {
    const values = [{ value_index: position === 0 ? 4 : 1 }, { value_index: position === 0 ? 5 : 2 }];
    const option = { attribute_id: code, label: position === 0 ? 'Colour' : 'Size', position, values };
    await admin('POST', '/V1/configurable-products/SHIRT/options', { option });
  }
  for (const { sku } of variants) await admin('POST', '/V1/configurable-products/SHIRT/child', { childSku: sku });
  const { body: options } = await api.call('GET', '/V1/configurable-products/SHIRT/options/all', {
    token: api.tokens.admin,
  });
  const [color, size] = options.map((option: { attribute_id: string }) => option.attribute_id);
  /** `product_option`, as a register or a shop sends it. */
  return (colour: number, cut: number) => optionOf([color, colour], [size, cut]);
}

export type Choose = Awaited<ReturnType<typeof aShirtInSizes>>;

export const optionOf = (...chosen: readonly (readonly [id: unknown, value: unknown])[]) => ({
  extension_attributes: {
    configurable_item_options: chosen.map(([option_id, option_value]) => ({ option_id, option_value })),
  },
});
