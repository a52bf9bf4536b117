import type { TestApi } from './api.ts';

/** The token of who keeps the attributes, the sets and the products of a shop. */
export const attributeToken = (api: TestApi): Promise<string> =>
  api.tokenFor('Magento_Catalog::attributes_attributes', 'Magento_Catalog::sets', 'Magento_Catalog::products');

/**
 * Attributes of the shop's own, in its default set, by their codes and how they are entered: `{ barcode: 'text' }`. One
 * that is there stays.
 */
export async function ownAttributes(api: TestApi, inputs: Readonly<Record<string, string>>): Promise<void> {
  const token = await attributeToken(api);
  const post = async (path: string, body: object) => {
    const { status, body: answer } = await api.call('POST', `/V1/products/${path}`, { token, body });
    if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(answer)}`);
  };
  for (const [code, input] of Object.entries(inputs)) {
    if ((await api.call('GET', `/V1/products/attributes/${code}`, { token })).status === 200) continue;
    const attribute = { attribute_code: code, frontend_input: input, default_frontend_label: code };
    await post('attributes', { attribute });
    const place = { attributeSetId: 4, attributeGroupId: 7, attributeCode: code, sortOrder: 100 };
    await post('attribute-sets/attributes', place);
  }
}
