import { z } from 'zod';
import { EmailTaken } from '../../db/platform/customers/email-taken.ts';
import { createCustomer } from '../../db/platform/customers/save-customer.ts';
import { toCustomer } from '../../domain/customers/to-customer.ts';
import { errorRow, isValid } from '../../domain/customers/validation-row.ts';
import { emailTakenRow } from '../../providers/customer-validators/built-in.ts';
import { route, type RouteContext } from '../http/route.ts';
import { draftPayload } from './draft-payload.ts';
import { badLocation, draftExample } from './draft-words.ts';
import { creationAnswer, renderCreation } from './render-validation.ts';
import { validateDraft } from './validate-draft.ts';

/**
 * Opens an account from a register's form (spec 4.5): 200 whether it was opened or not, with every row that was said.
 *
 * The validators run again, and only an error keeps it from being opened. The database lets one account per e-mail and website
 * in: of several at once the others get the row that says so. The same again is that row, too; with an `Idempotency-Key` it is
 * the first answer. Refused with 400: as at validate.
 */
export const createRegisterCustomer = route({
  name: 'createRegisterCustomer',
  method: 'POST',
  path: '/V1/pos/customers',
  acl: 'Vendor_Pos::locations',
  summary: 'Open a customer account from a register’s form',
  description: `Answers 200 in both outcomes: \`success\` tells, \`errors\` has all rows, also the warnings of a success. An e-mail that has an
account is a row (\`email_taken\`). Send an \`Idempotency-Key\`: a repeat then gets the first answer, and not that row.

It opens accounts only; \`customerId\` belongs to validate. An address is kept as soon as one of its fields is filled, as the
default one; the company lives on it. The group is the shop’s default.`,
  outcomes: [badLocation],
  examples: [
    {
      title: 'Opened',
      body: { request: { ...draftExample, taxvat: 'DE136695976', phone: '+4930901820' } },
      response: { success: true, customer_id: 42, errors: [] },
    },
    {
      title: 'The e-mail has an account',
      body: { request: { email: 'ada@example.com', firstname: 'Ada', lastname: 'Lovelace', websiteId: 1 } },
      response: { success: false, customer_id: null, errors: [emailTakenRow] },
    },
  ],
  commits: 'several',
  body: z.object({ request: draftPayload }),
  response: creationAnswer,
  handle: (request) => create(request),
});

async function create(request: RouteContext & { body: { request: z.output<typeof draftPayload> } }) {
  const { em, operation } = request;
  const draft = request.body.request;
  // An earlier run of this request may have opened the account: it is no rival of its own e-mail.
  const { madeBefore } = operation;
  const { rows, storeId, websiteId, countryId } = await validateDraft(draft, request, { exceptId: madeBefore ?? 0 });
  if (madeBefore !== null) return renderCreation(madeBefore, rows);
  const all = draft.customerId === 0 ? rows : [...rows, notNew];
  if (!isValid(all) || storeId === null || websiteId === null) return renderCreation(null, all);
  try {
    const customerId = await createCustomer(em, {
      draft: { ...toCustomer(draft, countryId), storeId, websiteId },
      currentStoreId: storeId,
      takesAnyAddress: true,
      opened: operation.made,
    });
    return renderCreation(customerId, all);
  } catch (error) {
    if (error instanceof EmailTaken) return renderCreation(null, [...all, emailTakenRow]);
    throw error;
  }
}

/** Otherwise an edit that went astray would open a second account. */
const notNew = errorRow('customerId', 'customer_exists', 'This customer has an account; change that one.');
