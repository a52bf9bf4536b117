import type { EntityManager } from '@mikro-orm/postgresql';
import type { Said, ShopFields, ShopKind } from '../../domain/shop/shop-records.ts';
import type { Author } from '../audit/record-difference.ts';
import type { SecretBox } from '../support/secret-box.ts';

/** The author of the changes, and what they need. */
export interface ShopTools {
  by: Author;
  /** Needed only for a setting that is stored sealed. */
  box: SecretBox;
  /** The hash of a passcode that nobody knows, for new staff. Made before the transaction, because it takes long. */
  unknownPasscode: string;
}

/** Saves and removes one kind of record by its name, in the transaction of the whole shop file. */
export interface Keeper<Kind extends ShopKind> {
  /**
   * Creates a record, or changes the named fields of an existing one. Refused with 400 and 404 as the shop's own routes
   * are.
   */
  save(em: EntityManager, given: { name: string; fields: Said<ShopFields[Kind]> }, tools: ShopTools): Promise<void>;
  /** Refused with 400 when other records need it. */
  remove(em: EntityManager, name: string, tools: ShopTools): Promise<void>;
}
