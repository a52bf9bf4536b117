import { afterAll, beforeAll } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { testDatabase } from '../../../support/database.ts';

export const now = new Date('2026-11-21T09:30:00Z');
export let orm: MikroORM;

/** A shop with an empty order book. */
export function opensAShop(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(() => orm.close());
}

const { promisesOf, fork, rows } = booksOf(() => orm);
export const one = async <Row extends object>(sql: string, parameters: unknown[] = []) =>
  (await rows<Row>(sql, ...parameters))[0]!;
export const reservations = (orderId: number) => promisesOf(orderId, 'sku', 'quantity', 'event_type');
