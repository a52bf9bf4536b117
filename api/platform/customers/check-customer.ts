import { z } from 'zod';
import { isEmailFree } from '../../../db/platform/customers/is-email-free.ts';
import { readConfigValue } from '../../../db/platform/stores/read-config-value.ts';
import { customerErrors } from '../../../domain/platform/customers/customer-errors.ts';
import type { InputError } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { integer, text } from '../../wire/schemas.ts';
import { customerPayload, toCustomerDraft } from './customer-payload.ts';

/** Off by default: otherwise a stranger could find out who has an account. */
const tellsPath = 'checkout/options/enable_guest_checkout_login';

/**
 * Whether an account can be opened with an e-mail (platform facts 8). Always true, unless the merchant lets guests
 * learn who has an account.
 */
export const isEmailAvailable = route({
  method: 'POST',
  path: '/V1/customers/isEmailAvailable',
  acl: 'anonymous',
  name: 'isEmailAvailable',
  summary: 'Whether an e-mail has no account yet',
  description: `Answers true for everything unless \`${tellsPath}\` is on, as the platform does: otherwise a stranger could find out who has an
account. A register asks \`POST /V1/pos/customers/validate\`.`,
  outcomes: [],
  examples: [{ title: 'Nobody has it', body: { customerEmail: 'ann@example.com' }, response: true }],
  body: z.object({ customerEmail: text(1_000), websiteId: integer.optional() }),
  response: z.boolean(),

  async handle({ em, body: { customerEmail, websiteId = 0 }, store }) {
    const tells = await readConfigValue(em, tellsPath, store);
    if (tells !== '1') return true;
    return isEmailFree(em, { email: customerEmail.trim(), websiteId: websiteId > 0 ? websiteId : store.websiteId });
  },
});

const labels: Readonly<Record<string, string>> = { email: 'Email', firstname: 'First Name', lastname: 'Last Name' };

/** The errors that a save would be refused with; saves nothing (platform facts 8). */
export const validateCustomer = route({
  method: 'PUT',
  path: '/V1/customers/validate',
  acl: 'Platform_Customer::manage',
  name: 'checkCustomer',
  summary: 'Check a customer without saving',
  description: 'Every fault in a sentence of its own. Nothing is saved, and no e-mail is looked up.',
  outcomes: [],
  examples: [
    {
      title: 'A name is missing',
      body: { customer: { email: 'ann@example.com', firstname: '', lastname: 'Lee' } },
      response: {
        valid: false,
        messages: ['The "First Name" attribute value is empty. Set the attribute and try again.'],
      },
    },
  ],
  body: z.object({ customer: customerPayload }),
  response: z.object({ valid: z.boolean(), messages: z.array(z.string()) }),

  async handle({ body: { customer } }) {
    const messages = customerErrors(toCustomerDraft(customer)).map(sentenceOf);
    return { valid: messages.length === 0, messages };
  },
});

/** The message with its values. */
function sentenceOf({ message, parameters }: InputError): string {
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(parameters));
  const label = labels[String(values['fieldName'])];
  if (label !== undefined && message.includes('is required'))
    return `The "${label}" attribute value is empty. Set the attribute and try again.`;
  return message.replaceAll(/%(\w+)/g, (sign, name: string) => (name in values ? String(values[name]) : sign));
}
