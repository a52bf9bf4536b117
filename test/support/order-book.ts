import { afterAll, beforeAll } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { aShop } from './builders/shop.ts';
import { testDatabase } from './database.ts';

export let orm: MikroORM;

/** A shop with an empty order book. */
export function opensAShop(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(orm.em.fork());
  });
  afterAll(() => orm.close());
}
