import { createClient, type ClientOptions } from '../../client/client.ts';
import { openLine, type Line } from '../../client/conformance/line.ts';
import { memoryStore, type JobStore } from '../../client/jobs.ts';
import { createOutbox, type OutboxOptions } from '../../client/outbox.ts';
import { createRegister } from '../../client/register.ts';
import type { Place } from '../../client/sale.ts';
import type { SaleLine } from '../../client/totals.ts';
import { testApi, type TestApi, type TestApiOptions } from '../support/api.ts';
import { booksOf } from '../support/books.ts';
import { aStaffMember, aTerminal, secretKey } from '../support/builders/counter.ts';
import { aShop } from '../support/builders/shop.ts';

/** A shop with a terminal and a cashier, and the line that its registers call it by. */
export interface Counter {
  api: TestApi;
  books: ReturnType<typeof booksOf>;
  line: Line;
  place: Place;
  /** What the terminal is bound to. */
  deviceIdentifier: string;
  mug: SaleLine;
  clientFor: (more?: Partial<ClientOptions>) => ReturnType<typeof createClient>;
  registerFor: (
    more?: MoreOfRegister,
  ) => ReturnType<typeof createRegister> & { outbox: ReturnType<typeof createOutbox> };
  close: () => Promise<void>;
}

interface MoreOfRegister extends Partial<Omit<OutboxOptions, 'client'>> {
  store?: JobStore;
  patienceMs?: number;
  place?: Partial<Place>;
}

/** The waits of a test take no time: what a register does after them is what counts. */
export const atOnce = () => new Promise<void>((resolve) => setImmediate(resolve));

export async function aCounter(options: TestApiOptions = {}): Promise<Counter> {
  const api = await testApi({ ...options, settings: { POS_SECRET_KEY: secretKey, ...options.settings } });
  const shop = await aShop(api.orm.em.fork());
  const books = booksOf(() => api.orm);
  await books.fillShelves();
  const { terminalId, deviceIdentifier } = await aTerminal(api.orm.em.fork(), { locationId: shop.locationId });
  const { staffId } = await aStaffMember(api.orm.em.fork());
  const line = await openLine(`${api.url}/rest`);
  const place: Place = {
    ...{ terminalId, locationId: shop.locationId, staffId, staffName: 'Ada Lovelace', storeId: 1 },
    money: { currency: 'USD' },
    address: { street: ['12 High Street'], city: 'Troy', postcode: '12180', countryId: 'US', telephone: '555' },
  };
  const clientFor = (more: Partial<ClientOptions> = {}) =>
    createClient({ url: line.url, token: api.tokens.register, wait: atOnce, ...more });
  return {
    ...{ api, books, line, place, deviceIdentifier, clientFor },
    mug: { sku: 'MUG', name: 'Mug', productId: shop.mug.entityId, qty: 2, price: 50, taxPercent: 8 },
    registerFor({ store = memoryStore(), patienceMs = 120_000, place: other, ...more } = {}) {
      const client = clientFor();
      const outbox = createOutbox({ client, store, ...more });
      return { ...createRegister({ client, outbox, place: { ...place, ...other }, patienceMs }), outbox };
    },
    async close() {
      await line.close();
      await api.close();
    },
  };
}

/** The same cart, as long as a body may be: what the service adds to it makes the answer longer than it keeps. */
export function aLongCart<Cart extends { heldCart: object }>(cart: Cart): Cart {
  const written = (cartData: string) =>
    JSON.stringify({ ...cart, heldCart: { ...cart.heldCart, cart_data: cartData } });
  const room = longestBody - Buffer.byteLength(written(''));
  return JSON.parse(written('é'.repeat(Math.floor(room / 2))));
}

const longestBody = 1_048_576;
