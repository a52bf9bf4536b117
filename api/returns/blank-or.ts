import { z } from 'zod';

/** An optional choice; an empty text counts as absent, because a register sends a blank field so. */
export const blankOr = <Choice extends z.ZodType>(choice: Choice) =>
  z.preprocess((given) => (given === '' ? undefined : given), choice.optional());
