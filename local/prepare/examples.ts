import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { migrate } from '../../db/migrate.ts';
import { createOrm } from '../../db/orm.ts';
import { OtherTables } from '../../db/pending-migrations.ts';
import { createIntegrationToken } from '../../db/platform/access/create-signed-integration.ts';
import { findTokenHolder } from '../../db/platform/access/find-token-holder.ts';
import { everyResource, registerResources, setUpResources } from '../../domain/platform/access.ts';
import { CannotStart } from '../cannot-start.ts';
import { seedDemoShop } from '../demo-shop/seed.ts';
import { nodeFlags, programFile } from '../node-process.ts';
import { privately } from '../privately.ts';
import { writeStateFile } from '../state-file.ts';
import type { Step } from '../step.ts';

/** For `curl -H @file`: one header a line. */
const registerHeaders = (token: string) => `Authorization: Bearer ${token}\nContent-Type: application/json\n`;

interface Product {
  entity_id: number;
  sku: string;
  name: string;
  price: number;
}

/** One piece over the counter, paid in cash: the order as a register posts it (platform facts 5.1). */
const saleBody = ({ entity_id, sku, name, price }: Product) => ({
  entity: {
    store_id: 1,
    state: 'new',
    status: 'pending',
    customer_is_guest: 1,
    customer_email: 'walk-in@example.com',
    base_currency_code: 'USD',
    order_currency_code: 'USD',
    ...inBothCurrencies({ subtotal: price, tax_amount: 0, shipping_amount: 0, discount_amount: 0, grand_total: price }),
    total_qty_ordered: 1,
    items: [
      {
        sku,
        name,
        product_id: entity_id,
        product_type: 'simple',
        qty_ordered: 1,
        ...inBothCurrencies({ price, original_price: price, row_total: price, tax_amount: 0, discount_amount: 0 }),
      },
    ],
    billing_address: address,
    payment: { method: 'cashondelivery', amount_ordered: price, base_amount_ordered: price },
    extension_attributes: { shipping_assignments: [{ shipping: { address, method: 'flatrate_flatrate' } }] },
  },
});

interface TakenBack {
  orderId: number;
  itemId: number;
  method: 'cash' | 'original_payment';
}

/** One piece back (spec 4.8). A repeat is the same return, because its sale has an id. */
const returnBody = ({ orderId, itemId, method }: TakenBack) => ({
  orderId,
  items: JSON.stringify([
    {
      order_item_id: itemId,
      qty_requested: 1,
      reason: 'Changed mind',
      condition: 'Unopened',
      resolution: 'Refund',
      inspected_condition: 'pristine',
    },
  ]),
  autoApprove: true,
  locationId: 1,
  refundMethod: method,
  posSaleId: `example-return-of-${orderId}`,
});

const address = {
  firstname: 'Walk-in',
  lastname: 'Customer',
  street: ['1 High Street'],
  city: 'Troy',
  postcode: '12180',
  country_id: 'US',
  telephone: '555',
};

const inBothCurrencies = (money: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(money).flatMap(([name, value]) => [
      [name, value],
      [`base_${name}`, value],
    ]),
  );

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
async function writeExamples(
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

/** What the process tells, one message each. */
export type Reported = { said: string } | { prepared: Prepared } | { refused: string };

export interface PrepareApartOptions {
  /** The settings of the database, the data directory, the secret key and the demo shop. */
  environment: Record<string, string | undefined>;
  /** The API's address, for the examples. */
  api: string;
  say: (line: string) => void;
  /** The process loads its sources until the database answers. */
  startsAfter: Promise<unknown>;
  /** Ends the process; what it has not committed is undone. */
  giveUp: AbortSignal;
}

/**
 * `prepareDatabase` in a process of its own: migrations and a demo shop take 150 MB, which a process that then only
 * watches others would keep for days.
 *
 * Safe to repeat. Throws `CannotStart` where the database cannot be brought up to date.
 */
export async function prepareApart({
  environment,
  api,
  say,
  startsAfter,
  giveUp,
}: PrepareApartOptions): Promise<Prepared> {
  const command = [...nodeFlags, programFile('local/prepare/main'), api];
  const child = privately(() =>
    spawn(process.execPath, command, { env: environment, stdio: ['ignore', 'inherit', 'pipe', 'ipc'] }),
  );
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  giveUp.addEventListener('abort', kill, { once: true });
  const outcome: { prepared?: Prepared; refused?: string } = {};
  child.on('message', (reported: Reported) =>
    'said' in reported ? say(reported.said) : Object.assign(outcome, reported),
  );
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  startsAfter.then(() => child.connected && child.send('start', () => undefined), kill);
  const [errors] = await Promise.all([child.stderr ? text(child.stderr) : '', ended]);
  process.removeListener('exit', kill);
  giveUp.removeEventListener('abort', kill);

  giveUp.throwIfAborted();
  await startsAfter;
  if (outcome.refused !== undefined) throw new CannotStart(outcome.refused);
  if (!outcome.prepared) throw new Error(`The database could not be prepared.\n${errors}`);
  return outcome.prepared;
}

export interface Tokens {
  adminToken: string;
  registerToken: string;
  /** Activates a device, which the register's own token must not do. */
  setUpToken: string;
}

const holders = {
  adminToken: { name: 'Local administrator', resources: [everyResource] },
  registerToken: { name: 'Local register', resources: registerResources },
  setUpToken: { name: 'Local set-up', resources: setUpResources },
} as const;

/**
 * The tokens of a local shop: one for everything, one for a register's daily work, and one for setting a register up.
 * Each is made once and kept. It is made again when the database does not know it, as after a reset of only one of
 * the two.
 */
async function keepTokens(em: EntityManager, dataDir: string): Promise<Tokens> {
  const file = join(dataDir, 'tokens.json');
  const stored = existsSync(file) ? readTokens(file) : {};
  const tokenOf = async (key: keyof Tokens) => {
    const token = stored[key];
    return token !== undefined && (await isKnown(em, token))
      ? token
      : (await createIntegrationToken(em, holders[key])).token;
  };
  const tokens = {
    adminToken: await tokenOf('adminToken'),
    registerToken: await tokenOf('registerToken'),
    setUpToken: await tokenOf('setUpToken'),
  };
  writeStateFile(file, `${JSON.stringify(tokens, null, 2)}\n`);
  return tokens;
}

const tokensInFile = z.object({
  adminToken: z.string().optional(),
  registerToken: z.string().optional(),
  setUpToken: z.string().optional(),
});

/** An older file lacks some of them; an unreadable one has none. */
function readTokens(file: string): z.output<typeof tokensInFile> {
  try {
    return tokensInFile.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? {};
  } catch {
    return {};
  }
}

const isKnown = async (em: EntityManager, token: string) =>
  (await findTokenHolder(em, token, new Date())) !== undefined;

export interface PrepareOptions {
  url: string;
  dataDir: string;
  secretKey: string;
  hasDemoShop: boolean;
  /** The API's address, for the examples. */
  api: string;
  /** Times and reports one step. */
  step: Step;
}

interface Prepared {
  tokens: Tokens;
  examples: Example[];
}

/** Migrates the database, fills it with the demo shop, and ensures the tokens. Safe to repeat. */
export async function prepareDatabase(options: PrepareOptions): Promise<Prepared> {
  const { url, dataDir, secretKey, api, step } = options;
  await step('Migrations', () => bringUpToDate(url));
  const orm = await createOrm(url);
  try {
    if (options.hasDemoShop) await step('Demo shop', () => seedDemoShop(orm, secretKey));
    const tokens = await keepTokens(orm.em.fork(), dataDir);
    return { tokens, examples: await writeExamples(orm.em.fork(), { dataDir, api, token: tokens.registerToken }) };
  } finally {
    await orm.close();
  }
}

async function bringUpToDate(url: string): Promise<void> {
  try {
    await migrate(url);
  } catch (error) {
    if (error instanceof OtherTables) throw new CannotStart(error.message);
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new CannotStart(
      `The database could not be brought up to date (${reason}). If its data are only trials, forget them: npm run tools -- reset`,
    );
  }
}
