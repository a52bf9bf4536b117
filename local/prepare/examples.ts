import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { registerHeaders, returnBody, saleBody } from './example-bodies.ts';
import { writeStateFile } from '../state-file.ts';

export interface Example {
  title: string;
  command: string;
}

/** The orders and the product of the demo shop that the examples use. */
const cashOrder = 'demo-cash-1';
const unsureCardOrder = 'demo-card-a-2';
const product = 'MUG-WHITE';

const findSold = `
select o.entity_id as order_id, min(i.item_id) as item_id
from sales_order o join sales_order_item i on i.order_id = o.entity_id
where o.ext_order_id = ? group by o.entity_id`;
const findProduct = `select entity_id, sku, name, price::float8 as price from product where sku = ?`;

/**
 * Writes requests of a register into files, so that each needs only a short line of `curl`: a sale, a return and its
 * settle, and an uncertain refund.
 *
 * @returns no examples where the demo shop is missing
 */
export async function writeExamples(
  em: EntityManager,
  { dataDir, api, token }: { dataDir: string; api: string; token: string },
): Promise<Example[]> {
  const [mug] = await em.execute<{ entity_id: number; sku: string; name: string; price: number }[]>(findProduct, [
    product,
  ]);
  const [cash] = await em.execute<Sold[]>(findSold, [cashOrder]);
  const [card] = await em.execute<Sold[]>(findSold, [unsureCardOrder]);
  if (!mug || !cash || !card) return [];

  const folder = join(dataDir, 'examples');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeStateFile(join(folder, 'register'), registerHeaders(token));
  const place = relative(process.cwd(), folder);
  const from = place.startsWith('..') ? folder : place;
  const example = (title: string, path: string, file: string, body: object): Example => {
    writeStateFile(join(folder, file), `${JSON.stringify(body, null, 2)}\n`);
    return { title, command: `curl -s -H @${from}/register -d @${from}/${file} ${api}${path}` };
  };
  const returned = example(
    'A return for cash: the goods are back, the money is not',
    '/V1/pos/rma',
    'return.json',
    returnBody({ ...sold(cash), method: 'cash' }),
  );
  return [
    example('A sale', '/V1/orders', 'sale.json', saleBody(mug)),
    returned,
    {
      title: 'The cash is counted: settle that return (a repeat of it answers its id), and the money is booked',
      command: `curl -s -H @${from}/register -d '{"method":"cash"}' "${api}/V1/pos/rma/$(${returned.command} | ${idOf})/settle"`,
    },
    example(
      'A refund whose answer is lost',
      '/V1/pos/rma',
      'uncertain-refund.json',
      returnBody({ ...sold(card), method: 'original_payment' }),
    ),
  ];
}

/** The first field of a return's answer, without another tool. */
const idOf = 'cut -d: -f2 | cut -d, -f1';

interface Sold {
  order_id: number;
  item_id: number;
}

const sold = ({ order_id, item_id }: Sold) => ({ orderId: Number(order_id), itemId: Number(item_id) });
