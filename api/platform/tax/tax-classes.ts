import { z } from 'zod';
import {
  classInRule,
  classInUse,
  classNameIsTaken,
  classTypeStays,
  taxClasses,
} from '../../../db/platform/tax/tax-classes.ts';
import { resource } from '../../http/resource.ts';
import type { AnyRoute, Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam, payload, text } from '../../wire/schemas.ts';
import { missingTaxField, taxAcl, wrongTaxField } from './tax-words.ts';

const taxClass = resource({
  records: taxClasses,
  acl: taxAcl,
  unknown: unknownEntity('There is no tax class of this id.'),
  body: 'taxClass',
  /** What a read answered may be sent back. */
  sent: payload({
    class_id: idParam.optional(),
    class_name: text(255).optional(),
    class_type: text(255).optional(),
  }).meta({ id: 'TaxClass' }),
  draft: ({ class_name, class_type }) => ({ className: class_name, classType: class_type }),
  idOf: ({ class_id }) => class_id || undefined,
  answer: z.object({ class_id: z.int(), class_name: z.string(), class_type: z.string() }).meta({ id: 'TaxClass' }),
  render: ({ classId, className, classType }) => ({ class_id: classId, class_name: className, class_type: classType }),
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
    description: `Of goods, \`PRODUCT\`, or of customers, \`CUSTOMER\`. A new class bears no tax until a tax rule names it.
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
      { status: 400, message: classInUse, when: 'A product or a customer group has it.', then: 'Give them another.' },
    ],
    examples: [{ title: 'Deleted', params: { taxClassId: 4 }, response: true }],
  }),
];
