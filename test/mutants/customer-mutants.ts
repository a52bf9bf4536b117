import type { Mutant } from './mutant.ts';

const create = 'test/api/customers/create-customer.test.ts';
const validate = 'test/api/customers/ask-customer-prices.test.ts';
const prices = 'test/api/customers/ask-customer-prices.test.ts';
const feed = 'test/api/customers/offline-feeds.test.ts';

/** Customers at the register, and what things cost them. */
export const customerMutants: readonly Mutant[] = [
  {
    id: 'U01',
    mistake: 'of creates at once all but the first are an error and no row',
    patches: [
      {
        file: 'api/customers/customer-validation-routes.ts',
        find: 'if (error instanceof EmailTaken) return renderCreation(null, [...all, emailTakenRow]);',
        replace: 'void EmailTaken;',
      },
    ],
    killedBy: [create],
    named: 'eight creates at once',
  },
  {
    id: 'U02',
    mistake: 'the database lets two accounts with one e-mail in',
    sql: 'drop index customer_email_once_per_website',
    killedBy: [create],
    named: 'eight creates at once',
  },
  {
    id: 'U03',
    mistake: 'a run that takes a create over counts its own account as a rival',
    patches: [
      {
        file: 'api/customers/customer-validation-routes.ts',
        find: 'if (madeBefore !== null) return renderCreation(madeBefore, rows);',
        replace: '',
      },
      {
        file: 'api/customers/customer-validation-routes.ts',
        find: 'exceptId: madeBefore ?? 0',
        replace: 'exceptId: 0',
      },
    ],
    killedBy: [create],
    named: 'a run that takes over',
  },
  {
    id: 'U04',
    mistake: 'a selection of unregistered keys runs every validator',
    patches: [
      {
        file: 'providers/customer-validators.ts',
        find: 'keys.length === 0 ?',
        replace: '!optional.some(({ key }) => keys.includes(key)) ?',
      },
    ],
    killedBy: [validate],
    named: 'only unregistered keys',
  },
  {
    id: 'U05',
    mistake: 'a validator that throws ends the request',
    patches: [
      {
        file: 'providers/customer-validators/run-validators.ts',
        find: 'return [warningRow(validator.field',
        replace: 'if (error instanceof Error) throw error;\n      return [warningRow(validator.field',
      },
    ],
    killedBy: [validate],
    named: 'that throws is a warning',
  },
  {
    id: 'U06',
    mistake: 'uniqueness is asked on the website that was sent, not on the one it stands for',
    patches: [
      {
        file: 'db/customers/read-draft-ground.ts',
        find: 'c.website_id = s.website_id and lower',
        replace: 'c.website_id = $websiteId and lower',
      },
    ],
    killedBy: [validate],
    named: 'uniqueness is asked',
  },
  {
    id: 'U07',
    mistake: 'the last price resolver has the word',
    patches: [
      {
        file: 'providers/prices.ts',
        find: 'question.products.filter(({ sku }) => !found.has(sku))',
        replace: 'question.products',
      },
    ],
    killedBy: [prices],
    named: 'the first resolver',
  },
  {
    id: 'U08',
    mistake: 'a price resolver that is away is passed over',
    patches: [
      {
        file: 'providers/prices.ts',
        find: `throw customerPricesUnknown();`,
        replace: 'void unavailable;\n    return new Map<string, ResolvedPrice>();',
      },
    ],
    killedBy: [prices],
    named: 'cannot be asked',
  },
  {
    id: 'U09',
    mistake: 'a customer whose address changed is not told to registers',
    patches: [
      {
        file: 'db/platform/customers/customers.ts',
        find: 'customAttributes: attributes, updatedAt: shopNow() }',
        replace: 'customAttributes: attributes }',
      },
    ],
    killedBy: [feed],
    named: 'whose address alone',
  },
];
