import type { EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '../../../db/support/secret-box.ts';
import type { RouteContext } from '../../http/route.ts';

type Around = Pick<RouteContext, 'workflows' | 'log'>;

/** How an account is written to: the platform only knows these hooks. Each post is in the caller's transaction. */
export interface AccountMails {
  /** The mail with the link to a new password; returns what is sent after the commit. */
  postReset(em: EntityManager, reset: { customerId: number; token: string; box: SecretBox }): Promise<number>;
  /** The mail that asks to confirm the e-mail; undefined: it is on its way already. */
  postConfirmation(em: EntityManager, customerId: number): Promise<number | undefined>;
  /** After the commit; the route does not wait for it. A customer waits for a reset's mail. */
  sendReset(mailId: number, around: Around): void;
  sendConfirmation(mailId: number, around: Around): void;
}
