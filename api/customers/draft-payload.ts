import { z } from 'zod';
import type { RegisterDraft } from '../../domain/customers/register-draft.ts';
import { growing, integer, text } from '../wire/schemas.ts';

/** Longer than a field may be: how long it may be is a row of the answer. */
const entered = text(1_000)
  .default('')
  .transform((given) => given.trim());
const id = integer.default(0);

/**
 * A customer as a register's form has one (spec 2.9). What is missing is a row of the answer and no refusal; only what cannot be
 * read is one. Drafts grow by version, so unknown keys are dropped.
 */
export const draftPayload = growing({
  email: entered,
  firstname: entered,
  lastname: entered,
  company: entered,
  taxvat: entered,
  phone: entered,
  street: entered,
  city: entered,
  postcode: entered,
  countryCode: entered,
  dob: entered,
  websiteId: id,
  customerId: id,
  locationId: id,
}).meta({ id: 'CustomerDraft' }) satisfies z.ZodType<RegisterDraft>;
