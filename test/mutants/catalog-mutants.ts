import type { Mutant } from './mutant.ts';

const scopes = 'test/api/platform/products/product-scopes.test.ts';
const attributes = 'test/api/platform/products/product-attributes.test.ts';

/** What a store view says of a product, and what may be deleted. */
export const catalogMutants: readonly Mutant[] = [
  {
    id: 'V01',
    mistake: 'a name saved in one view overwrites everybody’s',
    patches: [
      {
        file: 'db/platform/catalog/configurable-products.ts',
        find: 'known && (await hasViews(em)) ? place : everywhere',
        replace: 'known && (await hasViews(em)) && !place ? place : everywhere',
      },
    ],
    killedBy: [scopes],
  },
  {
    id: 'V02',
    mistake: 'a list finds by what holds everywhere',
    patches: [
      {
        file: 'db/platform/catalog/products.ts',
        find: 'return row?.isSaid === true;',
        replace: 'return row === undefined;',
      },
    ],
    killedBy: [scopes],
  },
  {
    id: 'V03',
    mistake: 'a website sells what it switched off',
    patches: [
      {
        file: 'db/platform/carts/read-offers.ts',
        find: "${statusOn('p', 'w.website_id')} as status",
        replace: 'p.status as status',
      },
    ],
    killedBy: [scopes],
  },
  {
    id: 'V04',
    mistake: 'a product is deleted that an order waits for',
    patches: [
      {
        file: 'db/platform/catalog/products.ts',
        find: 'if (promised?.isSaid)',
        replace: 'if (promised === undefined)',
      },
    ],
    killedBy: [attributes],
  },
  {
    id: 'V05',
    mistake: 'a change of the password leaves everybody signed in',
    patches: [
      {
        file: 'db/platform/customers/passwords.ts',
        find: `userId: customerId, now });
    await forgetR`,
        replace: `userId: -customerId, now });
    await forgetR`,
      },
    ],
    killedBy: ['test/api/platform/customers/customer-groups.test.ts'],
    named: '^(?:accounts) ',
  },
  {
    id: 'V06',
    mistake: 'customers choose their group',
    patches: [
      {
        file: 'api/platform/customers/own-account.ts',
        find: 'draft: own, newsletter',
        replace: 'draft: { ...own, groupId: draft.groupId }, newsletter',
      },
    ],
    killedBy: ['test/api/platform/customers/customer-groups.test.ts'],
    named: '^(?:accounts) ',
  },
];
