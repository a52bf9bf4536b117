import { expect, test } from '@jest/globals';
import { resourcesOf } from '../../../cli/support.ts';
import { knownResources } from '../../../domain/platform/access.ts';
import { inWords } from '../shop/in-words.ts';

const granted = (acl: string) => Promise.resolve(acl).then(resourcesOf).catch(inWords);

test.each(knownResources)('%s opens a door, in either spelling', async (resource) => {
  const stock = resource.replace(/^Platform_/, 'Magento_');
  expect(await granted(`${resource}, ${stock}`)).toEqual([resource, stock]);
});

test.each([
  ['Vendor_Pos::receipt', 'Perhaps it is one of: Vendor_Pos::receipts, Vendor_Pos::'],
  ['Magento_Sales::creditmemos', 'Perhaps it is one of: Platform_Sales::creditmemo, Platform_Sales::sales_creditmemo'],
  ['vendor_pos::locations', 'Perhaps it is one of: Vendor_Pos::locations, Vendor_Pos::locations_manage'],
  ['Zzz::yyy', `Perhaps it is one of: ${knownResources.join(', ')}.`],
])('%s opens no door and is refused; those that may be meant are named', async (resource, meant) => {
  const refused = await granted(`Vendor_Pos::locations,${resource}`);
  expect(refused).toContain(`No route asks for the resource "${resource}". ${meant}`);
});
