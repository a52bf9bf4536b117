import { randomBytes } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { booksOf } from '../books.ts';
import type { Row } from '../books/cells.ts';

/** A receipt that nothing is known of but that it is there. */
export const aBareReceipt = (orm: MikroORM, more: Row = {}) => {
  const digest = () => randomBytes(32).toString('hex');
  return booksOf(() => orm).insert('pos_receipt', {
    ...{ pos_order_id: digest(), token_digest: digest(), sealed_token: 'x' },
    ...more,
  });
};
