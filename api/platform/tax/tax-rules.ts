import { z } from 'zod';
import { classInRule, classNameIsTaken, classTypeStays, taxClasses, taxRules } from '../../../db/platform/tax/taxes.ts';
import { alreadyExists } from '../../../domain/refusals/platform.ts';
import { taxClassInUse } from '../../../domain/refusals/sales.ts';
import { resource } from '../../http/resource.ts';
import type { AnyRoute, Outcome } from '../../http/route.ts';
import { fieldsOf, flag, integer, ownId, references, text } from '../../wire/fields.ts';
import { unknownEntity, requiredField, invalidField } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';

/** Texts that routes of taxes share. */

export const taxAcl = 'Platform_Tax::manage_tax';

export const missingTaxField: Outcome = requiredField(
  'A field is missing or empty. Several faults come together, in `errors`.',
);

export const wrongTaxField: Outcome = invalidField('The value does not exist, or is out of bounds.');

/** The platform's own file of tax rates for one country has some thousands. */
const maxRates = 10_000;
const maxClasses = 100;

const taxRule = resource({
  records: taxRules,
  acl: taxAcl,
  unknown: unknownEntity('There is no rule of this id.'),
  body: 'rule',
  /** What a read answered may be sent back. */
  ...fieldsOf(
    {
      id: ownId('ruleId'),
      code: text(),
      priority: integer(),
      position: integer(),
      customer_tax_class_ids: references(maxClasses, idParam),
      product_tax_class_ids: references(maxClasses, idParam),
      tax_rate_ids: references(maxRates, idParam),
      calculate_subtotal: flag(),
    },
    'TaxRule',
  ),
  idOf: ({ id }) => id || undefined,
});

const refusedRule: readonly Outcome[] = [
  {
    status: 400,
    message: '"code" is required. Enter and try again.',
    when: 'The code is missing; so for every other field. Several faults stand one below the other.',
  },
  {
    status: 400,
    message: 'No such entity with class_id = 77',
    when: 'A tax class does not exist; so for `tax_rate_ids`. A class of the wrong kind is named by its field.',
  },
  {
    status: 400,
    message: 'The priority value of "-1" must be greater than or equal to 0.',
    when: 'The priority or the position is below 0.',
  },
  alreadyExists,
];

const exampleTaxRule = {
  ...{ id: 2, code: 'Class 2', priority: 0, position: 0, customer_tax_class_ids: [3] },
  ...{ product_tax_class_ids: [2], tax_rate_ids: [1], calculate_subtotal: false },
};

/** Which rates hold for which goods and customers (platform facts 9.5). A save with an `id` changes that rule. */
export const taxRuleRoutes: readonly AnyRoute[] = [
  taxRule.list({
    path: '/V1/taxRules/search',
    name: 'listTaxRules',
    summary: 'Search tax rules',
    description: `Which rates hold for which class of goods. \`searchCriteria\` is required: send
      \`searchCriteria[current_page]=1\` for all.`,
  }),

  taxRule.get({
    path: '/V1/taxRules/:ruleId',
    name: 'getTaxRule',
    summary: 'One tax rule',
    description: 'Which rates hold for goods and customers of which classes.',
    examples: [{ title: 'Taxable goods', params: { ruleId: 2 }, response: exampleTaxRule }],
  }),

  taxRule.create({
    path: '/V1/taxRules',
    name: 'createTaxRule',
    summary: 'Create a tax rule',
    description: `Says which rates hold when a customer of one of the classes buys goods of one of the classes. Of each
rule
the rate of the narrowest place counts. Rates of rules with the same \`priority\` are added; the next priority is of the
price with that tax, or of the price alone with \`calculate_subtotal\`. With an \`id\`, that rule is changed instead.`,
    outcomes: refusedRule,
    examples: [
      { title: 'Taxable goods', body: { rule: { ...exampleTaxRule, id: undefined } }, response: exampleTaxRule },
    ],
  }),

  taxRule.update({
    path: '/V1/taxRules',
    name: 'updateTaxRule',
    summary: 'Change a tax rule',
    description: `The \`id\` stands in the body, and the rule is sent whole. Carts are taxed by it from the next reading
on;
orders keep their tax. A repeat leaves the same rule.`,
    outcomes: refusedRule,
    examples: [
      {
        title: 'Another name',
        body: { rule: { ...exampleTaxRule, code: 'Taxable goods' } },
        response: { ...exampleTaxRule, code: 'Taxable goods' },
      },
    ],
  }),

  taxRule.remove({
    path: '/V1/taxRules/:ruleId',
    name: 'deleteTaxRule',
    summary: 'Delete a tax rule',
    description: 'Its rates and classes stay. Carts no longer bear its rates.',
    examples: [{ title: 'Deleted', params: { ruleId: 2 }, response: true }],
  }),
];

const taxClass = resource({
  records: taxClasses,
  acl: taxAcl,
  unknown: unknownEntity('There is no tax class of this id.'),
  body: 'taxClass',
  /** What a read answered may be sent back. */
  ...fieldsOf({ class_id: ownId('classId'), class_name: text(), class_type: text() }, 'TaxClass'),
  idOf: ({ class_id }) => class_id || undefined,
  saved: { answer: z.string(), render: ({ classId }) => String(classId) },
});

const refusedChange: readonly Outcome[] = [
  missingTaxField,
  { status: 400, message: classTypeStays, when: 'It has another type than before, or none.' },
  { status: 400, message: classNameIsTaken, when: 'A class of the type has the name, in any case of letters.' },
];

/** The tax classes of goods and of customers (platform facts 8, 9.5). A save with a `class_id` renames that one. */
export const taxClassRoutes: readonly AnyRoute[] = [
  taxClass.list({
    path: '/V1/taxClasses/search',
    name: 'listTaxClasses',
    summary: 'Search tax classes',
    description: `The tax classes of products and of customers. \`searchCriteria\` is required: send
      \`searchCriteria[current_page]=1\` for all.`,
  }),

  taxClass.get({
    path: '/V1/taxClasses/:taxClassId',
    name: 'getTaxClass',
    summary: 'One tax class',
    description: '`class_type` is `PRODUCT` or `CUSTOMER`.',
    examples: [
      {
        title: 'Retail customers',
        params: { taxClassId: 3 },
        response: { class_id: 3, class_name: 'Retail Customer', class_type: 'CUSTOMER' },
      },
    ],
  }),

  taxClass.create({
    path: '/V1/taxClasses',
    name: 'createTaxClass',
    summary: 'Create a tax class',
    description: `Of goods, \`PRODUCT\`, or of customers, \`CUSTOMER\`. A new class bears no tax until a tax rule names
it.
With a \`class_id\`, that class is renamed instead. The answer is the id, as text.`,
    outcomes: [...refusedChange, wrongTaxField],
    examples: [{ title: 'Books', body: { taxClass: { class_name: 'Books', class_type: 'PRODUCT' } }, response: '4' }],
  }),

  taxClass.update({
    path: '/V1/taxClasses/:classId',
    name: 'updateTaxClass',
    summary: 'Rename a tax class',
    description: 'The type is sent too, and stays. The answer is the id, as text. A repeat leaves the same class.',
    outcomes: refusedChange,
    examples: [
      {
        title: 'Another name',
        params: { classId: 4 },
        body: { taxClass: { class_name: 'Books and maps', class_type: 'PRODUCT' } },
        response: '4',
      },
    ],
  }),

  taxClass.remove({
    path: '/V1/taxClasses/:taxClassId',
    name: 'deleteTaxClass',
    summary: 'Delete a tax class',
    description: 'Only a class that nothing has.',
    outcomes: [
      { status: 400, message: classInRule, when: 'A tax rule names it.', then: 'Delete or change the rule.' },
      taxClassInUse.because('A product or a customer group has it.', 'Give them another.'),
    ],
    examples: [{ title: 'Deleted', params: { taxClassId: 4 }, response: true }],
  }),
];
