import type { AnyRoute } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';

type Words = Required<Pick<AnyRoute, 'name' | 'description' | 'outcomes' | 'examples'>>;

const unknown = unknownEntity('no customer or no website has this id');

const standing = { customer_id: 7, limit: 5000, used: 1280.5, available: 3719.5, currency: 'USD', source: 'customer' };

export const creditLimitWords: Words = {
  name: 'getCreditLimit',
  description: `Ask it before a sale on invoice. All amounts are in the website's base currency. \`used\` is what the customer
owes now: orders on invoice or on credit that are not paid, partial payments taken off; layaways do not count, their goods are
still yours. A \`limit\` of 0 means that no credit is extended. Going over \`available\` is a warning for the cashier, never a
block. \`source\` names who set the limit: \`customer\`, \`customer_group\`, or \`none\`.

\`websiteId\` 0, or none, is the website of the store view in the path.`,
  outcomes: [unknown],
  examples: [{ title: 'A company on account', params: { customerId: 7 }, query: 'websiteId=1', response: standing }],
};

export const setCreditLimitWords: Words = {
  name: 'setCreditLimit',
  description: `\`limit\` is in the website's base currency and holds over the limit of the customer's group. A
    repeat leaves the same limit. Answers how the customer stands then.`,
  outcomes: [
    unknown,
    {
      status: 400,
      message: 'The value of "%fieldName" cannot be.',
      when: 'the limit is below 0',
    },
  ],
  examples: [
    {
      title: 'Five thousand dollars',
      params: { customerId: 7 },
      body: { limit: 5000, websiteId: 1 },
      response: standing,
    },
  ],
};

export const removeCreditLimitWords: Words = {
  name: 'removeCreditLimit',
  description: `The limit of the customer's group holds again, if it has one. A repeat leaves the same. Answers the
customer's limit now and what is owed.`,
  outcomes: [unknown],
  examples: [
    {
      title: 'Back to the limit of the group',
      params: { customerId: 7 },
      query: 'websiteId=1',
      response: { ...standing, limit: 1000, available: 0, source: 'customer_group' },
    },
  ],
};
