import type { AnyRoute } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';

export const insightsWords: Required<Pick<AnyRoute, 'name' | 'description' | 'outcomes' | 'examples'>> = {
  name: 'getCustomerInsights',
  description: `For the profile screen. Figures are of the customer's website, in its base currency (\`currency\`); a line of
\`last_purchases\` is in its own. Cancelled orders do not count, nor what is still to be paid for, such as layaways.

\`visits\` are days with a purchase. \`total_spent\` is what was bought less what came back; \`return_rate\` is the part that
came back, in percent. Favourites are of the last 500 purchases, by how often they were bought and kept.
\`preferred_location\` is where most of these receipts were printed; null where none is known. \`sections\` are what others
add; a provider that fails is missing, so show what is there.`,
  outcomes: [unknownEntity('no customer has this id')],
  examples: [
    {
      title: 'A regular',
      params: { customerId: 7 },
      response: {
        customer_id: 7,
        currency: 'USD',
        statistics: {
          purchases: 12,
          visits: 11,
          first_purchase_at: '2025-02-03 10:15:00',
          last_purchase_at: '2026-11-20 16:05:11',
          total_spent: 640.5,
          total_refunded: 59,
          average_basket: 58.29,
          return_rate: 8.43,
        },
        preferred_location: { location_id: 1, name: 'High Street', purchases: 9 },
        last_purchases: [
          {
            order_id: 812,
            increment_id: '000000812',
            created_at: '2026-11-20 16:05:11',
            status: 'complete',
            grand_total: 59,
            total_refunded: 0,
            currency: 'USD',
            lines: 1,
          },
        ],
        favourite_products: [
          { sku: 'BEANS', name: 'Coffee beans', qty: 9, purchases: 8, last_purchased_at: '2026-11-20 16:05:11' },
        ],
        favourite_categories: [{ category_id: 4, qty: 11, purchases: 9 }],
        credits: [],
        sections: [{ provider: 'service', title: 'Club', rows: [{ label: 'Level', value: 'Gold' }] }],
      },
    },
  ],
};
