import { z } from 'zod';
import {
  classInRule,
  classInUse,
  classNameIsTaken,
  classTypeStays,
  deleteTaxClass,
  saveTaxClass,
} from '../../../db/platform/tax/save-tax-class.ts';
import { route, type Outcome } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam, payload, text } from '../../wire/schemas.ts';
import { missingTaxField, taxDoor, wrongTaxField } from './tax-words.ts';

/** A class as it is sent: what a read answered may be sent back. */
const taxClassPayload = payload({
  class_id: idParam.optional(),
  class_name: text(255).optional(),
  class_type: text(255).optional(),
}).meta({ id: 'TaxClass' });

const draftOf = ({ class_name, class_type }: z.output<typeof taxClassPayload>) => ({
  className: class_name,
  classType: class_type,
});

const unknownClass: Outcome = unknownEntity('There is no tax class of this id.');

const refusedChange: readonly Outcome[] = [
  missingTaxField,
  unknownClass,
  { status: 400, message: classTypeStays, when: 'It has another type than before, or none.' },
  { status: 400, message: classNameIsTaken, when: 'A class of the type has the name, in any case of letters.' },
];

/**
 * Creates a tax class; with a `class_id` it renames that one, as on the platform (platform facts 9.5). A repeat without
 * an id is refused, because its name is taken. Refused as `saveTaxClass`.
 */
export const createTaxClass = route({
  ...taxDoor,
  method: 'POST',
  path: '/V1/taxClasses',
  name: 'createTaxClass',
  summary: 'Create a tax class',
  description: `Of goods, \`PRODUCT\`, or of customers, \`CUSTOMER\`. A new class bears no tax until a tax rule names it.
With a \`class_id\`, that class is renamed instead. The answer is the id, as text.`,
  outcomes: [...refusedChange, wrongTaxField],
  examples: [{ title: 'Books', body: { taxClass: { class_name: 'Books', class_type: 'PRODUCT' } }, response: '4' }],
  body: z.object({ taxClass: taxClassPayload }),
  response: z.string(),

  handle: async ({ em, body: { taxClass } }) =>
    String(await saveTaxClass(em, { classId: taxClass.class_id || undefined, draft: draftOf(taxClass) })),
});

/** Renames a tax class (platform facts 9.5). A repeat leaves the same class. Refused as above. */
export const updateTaxClass = route({
  ...taxDoor,
  method: 'PUT',
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
  params: z.object({ classId: idParam }),
  body: z.object({ taxClass: taxClassPayload }),
  response: z.string(),

  handle: async ({ em, params: { classId }, body: { taxClass } }) =>
    String(await saveTaxClass(em, { classId, draft: draftOf(taxClass) })),
});

/**
 * Deletes a tax class. A repeat is a 404.
 *
 * Refused with: 404 `class_id` unknown · 400 a tax rule, a product or a customer group has it.
 */
export const removeTaxClass = route({
  ...taxDoor,
  method: 'DELETE',
  path: '/V1/taxClasses/:taxClassId',
  name: 'deleteTaxClass',
  summary: 'Delete a tax class',
  description: 'Only a class that nothing has.',
  outcomes: [
    unknownClass,
    { status: 400, message: classInRule, when: 'A tax rule names it.', then: 'Delete or change the rule.' },
    { status: 400, message: classInUse, when: 'A product or a customer group has it.', then: 'Give them another.' },
  ],
  examples: [{ title: 'Deleted', params: { taxClassId: 4 }, response: true }],
  params: z.object({ taxClassId: idParam }),
  response: z.literal(true),

  async handle({ em, params: { taxClassId } }) {
    await deleteTaxClass(em, taxClassId);
    return true as const;
  },
});
