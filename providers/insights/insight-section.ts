import { z } from 'zod';

/** A profile is one screen: no provider has more of it. */
const mostSections = 10;
const mostRows = 20;

/** What somebody says of a customer, as one screen can show it; whatever is not this is no answer. */
export const insightSections = z
  .array(
    z.object({
      title: z.string().min(1).max(200),
      rows: z.array(z.object({ label: z.string().max(200), value: z.string().max(1_000) })).max(mostRows),
    }),
  )
  .max(mostSections);
