import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Customer } from './customer.entity.ts';

/**
 * The one valid token for a new password of an account, as a digest: its mail alone has the token. A later request
 * replaces the row; a new password, however it was set, deletes it.
 */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'customer_password_reset',
  properties: {
    customerId: () => p.manyToOne(Customer).mapToPk().primary().fieldName('customer_id').deleteRule('cascade'),
    digest: p.string().length(64).unique().hidden(),
    askedAt: p.datetime(6),
    expiresAt: p.datetime(6).index(),
  },
  checks: [{ name: 'customer_password_reset_expires', expression: 'expires_at > asked_at' }],
});

export type PasswordReset = InferEntity<typeof PasswordReset>;
