import type { EntityManager } from '@mikro-orm/postgresql';
import type { Said, ShopFields, ShopKind } from '../../domain/shop/shop-records.ts';
import type { Author } from '../audit/record-difference.ts';
import type { SecretBox } from '../support/secret-box.ts';

/** Who changes the shop, and with what. */
export interface ShopTools {
  by: Author;
  /** Opened only where a setting is kept sealed. */
  box: SecretBox;
}

/** Saves and removes one kind of record by its name, within the transaction of the whole. */
export interface Keeper<Kind extends ShopKind> {
  /** A new record, or what is said of a known one. Refused with 400 and 404 as the shop's own routes refuse it. */
  save(em: EntityManager, given: { name: string; fields: Said<ShopFields[Kind]> }, tools: ShopTools): Promise<void>;
  /** Refused with 400 where something would be left without it. */
  remove(em: EntityManager, name: string, tools: ShopTools): Promise<void>;
}
