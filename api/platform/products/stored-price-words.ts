import { z } from 'zod';
import type { Outcome } from '../../http/route.ts';
import { integer, text } from '../../wire/schemas.ts';

/** Texts that the routes of many prices share. */

export const manyDoor = { acl: 'Platform_Catalog::catalog', method: 'POST' } as const;

/** The most rows of one call. */
const mostRows = 1_000;

export const skus = z.array(text(64)).max(mostRows);
export const place = { sku: text(64), storeId: integer, extensionAttributes: z.unknown().optional() };
export const pricesOf = <Row extends z.ZodType>(row: Row) => z.object({ prices: z.array(row).max(mostRows) });

export const faults = z.array(z.object({ message: z.string(), parameters: z.array(z.string()) }));

export const unknownSkus: Outcome = {
  status: 404,
  message: "Requested products don't exist: %sku",
  when: 'One of the skus is unknown; then nothing is answered and nothing is changed.',
};

export const saved = `Rows that hold are saved, all in one transaction. Of the others the answer says what is wrong: an empty list means that all
were saved. Prices are base currency. A repeat changes nothing.`;
