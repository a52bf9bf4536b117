import { z } from 'zod';
import { isObject } from './is-object.ts';

/**
 * A list in a query. A single value without brackets, as many clients send it, is a list of one (platform facts 14).
 */
export const oneOrMore = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(item).max(most));

/**
 * A list of objects in a body. An object of them is read as their list: PHP writes a list with keys so, such as lines by
 * their ids (platform facts 14).
 */
export const rowsOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((given: unknown) => (isObject(given) ? Object.values(given) : given), z.array(item).max(most));
