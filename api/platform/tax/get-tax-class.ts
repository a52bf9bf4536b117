import { z } from 'zod';
import { readTaxClass } from '../../../db/platform/tax/search-tax.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { renderTaxClass, taxClassAnswer } from './render-tax-class.ts';

/** One tax class (platform facts 9.5). Refused with 404: an unknown one. */
export const getTaxClass = route({
  method: 'GET',
  path: '/V1/taxClasses/:taxClassId',
  acl: 'Platform_Tax::manage_tax',
  summary: 'One tax class',
  name: 'getTaxClass',
  description: '`class_type` is `PRODUCT` or `CUSTOMER`.',
  outcomes: [unknownEntity('There is no tax class of this id.')],
  examples: [
    {
      title: 'Retail customers',
      params: { taxClassId: 3 },
      response: { class_id: 3, class_name: 'Retail Customer', class_type: 'CUSTOMER' },
    },
  ],
  params: z.object({ taxClassId: idParam }),
  response: taxClassAnswer,

  handle: async ({ em, params: { taxClassId } }) => renderTaxClass(await readTaxClass(em, taxClassId)),
});
