import { z } from 'zod';

const echoedFilter = z.object({ field: z.string(), value: z.string().nullable(), condition_type: z.string() });

/** The criteria as the answer repeats them: keys in snake_case, what the caller left out left out (platform facts 3.5). */
export const searchCriteriaEcho = z.object({
  filter_groups: z.array(z.object({ filters: z.array(echoedFilter) })),
  sort_orders: z.array(z.object({ field: z.string(), direction: z.enum(['ASC', 'DESC']) })).optional(),
  page_size: z.int().optional(),
  current_page: z.int().optional(),
});
