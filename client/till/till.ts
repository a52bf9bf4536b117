import { toWire } from '../../domain/money.ts';
import { openBrowserStore, oneTabAtATime } from '../browser-store.ts';
import {
  cash,
  createClient,
  createOutbox,
  createRegister,
  criteria,
  placeOf,
  readConfiguration,
  sentenceFor,
  taxPercentOf,
  valueOf,
  type Job,
  type Made,
  type Payment,
  type Place,
  type SaleLine,
  type TakenBack,
} from '../index.ts';
import { sumOf } from '../totals.ts';

/**
 * A till on the client, for the demo shop: it sells, parks, lays away, takes back in cash and to a card, and goes on
 * without a network. It signs in with the public log-ins of the demo shop.
 */
const url = `${location.origin}/rest`;
const logIns = {
  admin: { username: 'demo-admin', password: 'Paper-Lantern-7' },
  cashier: { email: 'carla@demo.example', passcode: '135790' },
};

/** How long the cashier waits before a sale counts as waiting. */
const patienceMs = 6_000;
const deposit = 5;
/**
 * The processor's answer to a refund of this amount is lost, and it cannot be asked: the simulator goes by the cents.
 */
const doubtful = 20.73;

const element = <Kind extends HTMLElement>(id: string) => document.querySelector<Kind>(`#${id}`) as Kind;
const network = element<HTMLInputElement>('line');

/** The switch stands for a pulled cable: no request leaves the page. */
const fetchWhileOn: typeof fetch = async (...sent) => {
  if (!network.checked) throw new TypeError('The network is off.');
  return fetch(...sent);
};

const signIn = async () => {
  const open = createClient({ url, token: '', fetch: fetchWhileOn, giveUpAfterMs: patienceMs });
  const signed = await open.post('/V1/integration/admin/token', { body: logIns.admin });
  return signed.kind === 'done' ? signed.value : undefined;
};
const client = createClient({ url, token: '', signIn, fetch: fetchWhileOn, giveUpAfterMs: patienceMs });

/** A sale of this page, and what became of it. */
interface Shown {
  saleId: string;
  title: string;
  orderId?: number;
  itemIds: readonly number[];
  isCard: boolean;
  /** Of a layaway: what is still owed. */
  owed?: number;
  isBack?: boolean;
}

let goods: SaleLine[] = [];
let cart: SaleLine[] = [];
let cardMethod = 'vendor_provider_a';
const sold: Shown[] = [];
const told: { text: string; isDoubt: boolean }[] = [];

const outbox = createOutbox({
  client,
  store: await openBrowserStore('demo-till'),
  alone: oneTabAtATime('demo-till'),
  onDone(job) {
    learn(job);
    tell(`Booked: ${titleOf(job)}.`);
  },
  onConflict: (job) => tell(`Refused: ${titleOf(job)}. ${job.conflict.sentence}`),
  onUnread: (job) => tell(`Done, and its answer is gone: ${titleOf(job)}. ${job.unread.sentence}`),
});

const place = await openPlace();
const register = createRegister({ client, outbox, place, patienceMs });

async function openPlace(): Promise<Place> {
  const terminals = valueOf(await client.get('/V1/pos/terminals', { query: criteria().query() })).items;
  const terminal = terminals.find(({ license_id: license, location_id: at }) => license !== null && at !== null);
  if (!terminal) throw new Error('The shop has no terminal with a license.');
  const terminalId = terminal.terminal_id;
  const cashier = valueOf(await client.post('/V1/pos/staff/authenticate', { body: { ...logIns.cashier, terminalId } }));
  const configuration = valueOf(await readConfiguration(client, terminalId));
  const here = placeOf(configuration, cashier);
  const { providers } = configuration.terminal.config.payments;
  cardMethod = Object.values(providers)[0]?.magento_method ?? cardMethod;
  const query = criteria().where('type_id', 'simple').sortedBy('entity_id').page(7).query();
  const products = valueOf(await client.get('/V1/products', { query })).items;
  goods = products.map(({ id, sku, name, price, custom_attributes: more }) => {
    const taxClass = more.find(({ attribute_code: code }) => code === 'tax_class_id')?.value;
    const taxPercent = taxPercentOf(here, Number(taxClass ?? 0));
    return { sku, name, productId: id, qty: 1, price: Number(price), taxPercent };
  });
  const [first] = goods;
  // Without tax, so that its total has the cents that the simulator goes by.
  if (first)
    goods.push({ ...first, name: `${first.name}, whose refund by card is lost`, price: doubtful, taxPercent: 0 });
  element('who').textContent = `${here.staffName} at ${terminal.name}`;
  return here;
}

/** Told by the answers of a job, also one of an earlier visit. */
function learn({ object, kept }: Job): void {
  const sale = sold.find(({ saleId }) => saleId === object);
  if (!sale || kept['orderId'] === undefined) return;
  sale.orderId = Number(kept['orderId']);
  sale.itemIds = Object.keys(kept).flatMap((key) => (/^item\d+$/.test(key) ? [Number(kept[key])] : []));
}

const titleOf = ({ object, steps, kept }: Job) =>
  sold.find(({ saleId }) => saleId === object)?.title ?? `${steps[0]?.name ?? 'a job'} ${kept['number'] ?? ''}`.trim();

function tell(text: string, isDoubt = false): void {
  told.unshift({ text, isDoubt });
  told.length = Math.min(told.length, 12);
  void draw();
}

/** In the cashier's words, whatever it was. */
function tellMade<Value>(what: string, made: Made<Value>, done: (value: Value) => string): void {
  if (made.kind === 'done') tell(done(made.value));
  else if (made.kind === 'waiting') tell(`${what}: stored. It is sent when the network is back.`);
  else tell(`${what}: ${sentenceFor(made)}`, made.kind === 'uncertain');
}

const sumOfCart = () => toWire(register.totals(cart).order.grandTotal);

async function sell(kind: 'cash' | 'card' | 'layaway'): Promise<void> {
  const lines = cart;
  cart = [];
  const saleId = crypto.randomUUID();
  const title = lines.map(({ qty, name }) => `${qty} × ${name}`).join(', ');
  const shown: Shown = { saleId, title, itemIds: [], isCard: kind === 'card' };
  sold.unshift(shown);
  // A real till asks its card terminal; the terminal's own id names the payment.
  const card: Payment = { method: cardMethod, label: 'card', transactionId: `pay_${saleId}` };
  const sale = { saleId, lines, payment: kind === 'card' ? card : cash };
  if (kind === 'layaway') {
    const { grandTotal } = register.totals(lines).order;
    const made = await register.layaway({ ...sale, deposit });
    if (made.kind === 'done')
      Object.assign(shown, { orderId: made.value.orderId, owed: sumOf(toWire(grandTotal), -deposit) });
    return tellMade(title, made, ({ number }) => `Laid away: order ${number}, ${deposit.toFixed(2)} paid.`);
  }
  const made = await register.sell(sale);
  if (made.kind === 'done') Object.assign(shown, made.value);
  tellMade(
    title,
    made,
    ({ number, grandTotal }) => `Sold: order ${number}, ${grandTotal.toFixed(2)} ${place.money.currency}.`,
  );
}

async function takeBack(shown: Shown): Promise<void> {
  const { orderId, itemIds, isCard, title } = shown;
  if (orderId === undefined) return tell('The sale is not booked yet.');
  shown.isBack = true;
  const method = isCard ? 'original_payment' : 'cash';
  const made = await register.takeBack({ orderId, method, lines: itemIds.map((itemId) => ({ itemId, qty: 1 })) });
  const back = ({ number, baseHandback }: TakenBack) =>
    `Return ${number}: ${baseHandback.toFixed(2)} ${place.money.baseCurrency ?? place.money.currency} ${isCard ? 'went back to the card' : 'to hand out'}.`;
  tellMade(`Taking back ${title}`, made, back);
}

async function payRest(shown: Shown): Promise<void> {
  const { orderId, owed = 0, title } = shown;
  if (orderId === undefined) return;
  const paid = await register.payLayaway({ orderId, amount: owed });
  if (paid.kind !== 'done') return tellMade(title, paid, () => '');
  shown.owed = paid.value.owed;
  const over = await register.handOver(orderId);
  tellMade(title, over, () => `Paid off and handed over: ${title}.`);
}

async function park(): Promise<void> {
  const grandTotal = sumOfCart();
  const held = await client.post('/V1/pos/held-carts', {
    body: {
      heldCart: {
        ...{ location_id: place.locationId, terminal_id: place.terminalId, staff_id: place.staffId },
        ...{ staff_name: place.staffName, cart_uuid: crypto.randomUUID(), cart_data: JSON.stringify(cart) },
        ...{ item_count: cart.length, grand_total: grandTotal, currency_code: place.money.currency },
        customer_name: `${cart.length} lines, ${grandTotal.toFixed(2)}`,
      },
    },
  });
  if (held.kind !== 'done') return tell(`Parking: ${sentenceFor(held)}`);
  cart = [];
  tell('Parked. Any register of the location can take it up.');
}

async function recall(heldCartId: number): Promise<void> {
  const path = { heldCartId };
  const held = await client.post('/V1/pos/held-carts/{heldCartId}/recall', { path, body: { staffId: place.staffId } });
  if (held.kind !== 'done') return tell(sentenceFor(held));
  cart = JSON.parse(held.value.cart_data) as SaleLine[];
  tell('Taken up again.');
}

const text = (of: string) => document.createTextNode(of);

function made(
  name: string,
  of: { text?: string; className?: string; data?: Record<string, string> } = {},
): HTMLElement {
  const one = document.createElement(name);
  if (of.text !== undefined) one.append(text(of.text));
  if (of.className !== undefined) one.className = of.className;
  Object.assign(one.dataset, of.data);
  return one;
}

const button = (label: string, data: Record<string, string>, className = 'quiet') =>
  made('button', { text: label, data, className });

function soldRow(shown: Shown, at: number): HTMLElement {
  const row = made('li', { text: `${shown.title} ` });
  if (shown.owed !== undefined && shown.owed > 0)
    row.append(button(`Pay ${shown.owed.toFixed(2)} and hand over`, { do: 'pay', at: String(at) }));
  else if (shown.owed === undefined && !shown.isBack)
    row.append(button(shown.isCard ? 'Back to the card' : 'Back for cash', { do: 'back', at: String(at) }));
  return row;
}

async function draw(): Promise<void> {
  const jobs = await outbox.jobs();
  element('waiting').textContent = `${jobs.length} wait`;
  element('goods').replaceChildren(
    ...goods.map(({ name, price }, at) => button(`${name} ${price.toFixed(2)}`, { do: 'add', at: String(at) }, 'tile')),
  );
  element('cart').replaceChildren(...cart.map(({ qty, name }) => made('li', { text: `${qty} × ${name}` })));
  element('sums').textContent =
    cart.length === 0 ? 'Nothing yet.' : `To pay: ${sumOfCart().toFixed(2)} ${place.money.currency}`;
  for (const key of document.querySelectorAll<HTMLButtonElement>('.keys button')) key.disabled = cart.length === 0;
  element('sold').replaceChildren(...sold.map(soldRow));
  element('told').replaceChildren(
    ...told.map(({ text: said, isDoubt }) => made('li', { text: said, className: isDoubt ? 'doubt' : '' })),
  );
}

async function drawParked(): Promise<void> {
  const path = { locationId: place.locationId };
  const held = await client.get('/V1/pos/held-carts/location/{locationId}', { path });
  if (held.kind !== 'done') return;
  element('parked').replaceChildren(
    ...held.value
      .filter(({ recalled_by_staff_id: by }) => by === null)
      .map((one) => button(one.customer_name ?? 'A cart', { do: 'recall', at: String(one.held_cart_id) }, 'tile')),
  );
}

function add(line: SaleLine): void {
  const same = cart.find(({ name }) => name === line.name);
  cart = same ? cart.map((one) => (one === same ? { ...one, qty: one.qty + 1 } : one)) : [...cart, line];
}

const verbs: Record<string, (at: number) => unknown> = {
  add: (at) => goods[at] && add(goods[at]),
  cash: () => sell('cash'),
  card: () => sell('card'),
  layaway: () => sell('layaway'),
  park,
  clear: () => (cart = []),
  back: (at) => sold[at] && takeBack(sold[at]),
  pay: (at) => sold[at] && payRest(sold[at]),
  recall,
};

document.addEventListener('click', (event) => {
  const key = event.target instanceof Element ? event.target.closest<HTMLElement>('button[data-do]') : null;
  const verb = verbs[key?.dataset['do'] ?? ''];
  if (!key || !verb) return;
  const working = Promise.resolve(verb(Number(key.dataset['at'] ?? 0)));
  void draw();
  void working.then(draw).then(drawParked);
});
network.addEventListener('change', () => {
  tell(network.checked ? 'The network is back.' : 'The network is off. Sell on.');
  if (network.checked) void outbox.send().then(draw);
});

void outbox.keepSending(new AbortController().signal);
await draw();
await drawParked();
