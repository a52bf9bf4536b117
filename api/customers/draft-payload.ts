import { z } from 'zod';
import type { RegisterDraft } from '../../domain/customers/register-draft.ts';
import { growing, integer, text } from '../wire/schemas.ts';

/** Longer than a field may be: too long a text becomes a row of the answer. */
const entered = text(1_000)
  .default('')
  .transform((given) => given.trim());
const id = integer.default(0);

/**
 * A customer from a register's form (spec 2.9). A missing field becomes a row of the answer; only an unreadable one
 * is refused. Drafts grow by version, so unknown keys are ignored.
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
