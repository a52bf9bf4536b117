import { z } from 'zod';
import { route } from '../http/route.ts';
import { draftPayload } from './draft-payload.ts';
import { badLocation, draftExample } from './draft-words.ts';
import { renderValidation, validationAnswer } from './render-validation.ts';
import { validateDraft } from './validate-draft.ts';

/**
 * Checks a customer before it is saved (spec 2.9, 4.5): always 200, and nothing is written.
 *
 * Refused with 400: a body that cannot be read; a location that is unknown or of another website.
 */
export const validateCustomer = route({
  name: 'validateCustomer',
  method: 'POST',
  path: '/V1/pos/customer-validate',
  acl: 'Vendor_Pos::locations',
  summary: 'Check a customer before saving',
  description: `Call it while the cashier types, and before a customer is saved or changed. What is missing or wrong is a row; \`valid\`
is false where a row is an \`error\`. A row of severity \`normalize\` carries \`suggested_value\`: offer it as one tap.

\`websiteId\` 0 is the website of the call's store. \`locationId\` lets the location's own choice of validators count. With
\`customerId\`, for an edit, the customer's own e-mail is no rival. \`dob\` (\`YYYY-MM-DD\`) is for shops with a minimum age.`,
  outcomes: [badLocation],
  examples: [
    {
      title: 'A VAT number with a wrong digit, a phone number that can be written better',
      body: { request: draftExample },
      response: {
        valid: false,
        errors: [
          {
            field: 'phone',
            code: 'phone_format',
            severity: 'normalize',
            message: 'Use "+4930901820".',
            suggested_value: '+4930901820',
          },
          {
            field: 'taxvat',
            code: 'vat_invalid',
            severity: 'error',
            message: 'This is not a VAT number of the country: a digit may be wrong.',
          },
        ],
      },
    },
  ],
  commits: 'several',
  body: z.object({ request: draftPayload }),
  response: validationAnswer,

  async handle(request) {
    const { rows } = await validateDraft(request.body.request, request);
    return renderValidation(rows);
  },
});
