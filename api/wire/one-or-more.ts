import { z } from 'zod';

/**
 * A list in a query. A single value without brackets, as many clients send it, is a list of one (platform facts 14).
 */
export const oneOrMore = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(item).max(most));
