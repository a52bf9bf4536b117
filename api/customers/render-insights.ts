import { z } from 'zod';
import type { Insights } from '../../db/insights/read-insights.ts';
import { toWire } from '../../domain/money/amount.ts';
import { quantityToWire } from '../../domain/money/quantity.ts';
import type { CreditBalance } from '../../providers/credits/credit-provider.ts';
import type { InsightSection } from '../../providers/insights/insight-provider.ts';
import { creditBalanceAnswer, renderCreditBalance } from '../wire/register/render-credit-balance.ts';
import { renderMoment } from '../wire/register/render-moment.ts';

export const insightsAnswer = z
  .object({
    customer_id: z.int(),
    currency: z.string(),
    statistics: z.object({
      purchases: z.int(),
      visits: z.int(),
      first_purchase_at: z.string().nullable(),
      last_purchase_at: z.string().nullable(),
      total_spent: z.number(),
      total_refunded: z.number(),
      average_basket: z.number(),
      return_rate: z.number(),
    }),
    preferred_location: z.object({ location_id: z.int(), name: z.string(), purchases: z.int() }).nullable(),
    last_purchases: z.array(
      z.object({
        order_id: z.int(),
        increment_id: z.string(),
        created_at: z.string(),
        status: z.string(),
        grand_total: z.number(),
        total_refunded: z.number(),
        currency: z.string(),
        lines: z.int(),
      }),
    ),
    favourite_products: z.array(
      z.object({
        sku: z.string(),
        name: z.string().nullable(),
        qty: z.number(),
        purchases: z.int(),
        last_purchased_at: z.string(),
      }),
    ),
    favourite_categories: z.array(z.object({ category_id: z.int(), qty: z.number(), purchases: z.int() })),
    credits: z.array(creditBalanceAnswer),
    sections: z.array(
      z.object({
        provider: z.string(),
        title: z.string(),
        rows: z.array(z.object({ label: z.string(), value: z.string() })),
      }),
    ),
  })
  .meta({ id: 'CustomerInsights' });

interface Known {
  customerId: number;
  insights: Insights;
  credits: readonly CreditBalance[];
  sections: readonly (InsightSection & { provider: string })[];
}

export const renderInsights = ({ customerId, insights, credits, sections }: Known): z.input<typeof insightsAnswer> => ({
  customer_id: customerId,
  currency: insights.figures.currencyCode,
  statistics: renderFigures(insights),
  preferred_location: insights.preferredLocation && {
    location_id: insights.preferredLocation.locationId,
    name: insights.preferredLocation.name,
    purchases: insights.preferredLocation.purchases,
  },
  last_purchases: insights.lastPurchases.map((order) => ({
    order_id: order.entityId,
    increment_id: order.incrementId,
    created_at: renderMoment(order.createdAt),
    status: order.status,
    grand_total: toWire(order.grandTotal),
    total_refunded: toWire(order.totalRefunded),
    currency: order.orderCurrencyCode,
    lines: order.lines,
  })),
  favourite_products: insights.favouriteProducts.map(({ sku, name, qty, purchases, lastAt }) => ({
    sku,
    name,
    qty: quantityToWire(qty),
    purchases,
    last_purchased_at: renderMoment(lastAt),
  })),
  favourite_categories: insights.favouriteCategories.map(({ categoryId, qty, purchases }) => ({
    category_id: Number(categoryId),
    qty: quantityToWire(qty),
    purchases,
  })),
  credits: credits.map(renderCreditBalance),
  sections: sections.map(({ provider, title, rows }) => ({ provider, title, rows: [...rows] })),
});

const renderFigures = ({ figures }: Insights) => ({
  purchases: figures.purchases,
  visits: figures.visits,
  first_purchase_at: renderMoment(figures.firstAt),
  last_purchase_at: renderMoment(figures.lastAt),
  total_spent: toWire(figures.spent),
  total_refunded: toWire(figures.refunded),
  average_basket: toWire(figures.averageBasket),
  return_rate: Number(figures.returnRate),
});
