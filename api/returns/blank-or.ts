import { z } from 'zod';

/** A choice that may be left out; an empty text is none: that is how a register with a blank field sends it. */
export const blankOr = <Choice extends z.ZodType>(choice: Choice) =>
  z.preprocess((given) => (given === '' ? undefined : given), choice.optional());
