import { z } from 'zod';
import type { CustomerSummary } from '../../db/self-checkout/use-one-time-code.ts';

/** The few fields of a customer that a terminal gets without further rights (spec 2.9). */
export const customerSummaryAnswer = z.object({
  customer_id: z.int(),
  email: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  group_id: z.int(),
  website_id: z.int(),
  company: z.string().nullable(),
  taxvat: z.string().nullable(),
  default_billing_address_id: z.int().nullable(),
});

export const renderCustomerSummary = (row: CustomerSummary): z.input<typeof customerSummaryAnswer> => ({
  customer_id: row.id,
  email: row.email,
  firstname: row.firstname,
  lastname: row.lastname,
  group_id: row.groupId,
  website_id: row.websiteId,
  company: row.company,
  taxvat: row.taxvat,
  default_billing_address_id: row.defaultBilling,
});
