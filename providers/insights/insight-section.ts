import { z } from 'zod';

/** The most sections of one provider: a profile is one screen. */
const mostSections = 10;
const mostRows = 20;

/** A provider's facts about a customer, limited to one screen; anything else is refused. */
export const insightSections = z
  .array(
    z.object({
      title: z.string().min(1).max(200),
      rows: z.array(z.object({ label: z.string().max(200), value: z.string().max(1_000) })).max(mostRows),
    }),
  )
  .max(mostSections);
