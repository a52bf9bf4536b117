import { createClient } from '../../client/client.ts';
import { createOutbox, memoryStore } from '../../client/outbox.ts';
import { createRegister, type Made, type Register } from '../../client/register.ts';
import { cash } from '../../client/sale.ts';
import { firstIds } from '../shop.ts';

/** Of so many sales one comes back: the assumption of docs/deploy/sizing.md. */
export const salesOfTemplate = 12;
/** A basket of three lines. */
const linesOfSale = 3;

export interface Line {
  apiUrl: string;
  token: string;
}

/**
 * A dozen sales as a register of ours carries them out: receipt, order, invoice, shipment; the last one comes back for
 * cash. Their rows are what a year of sales is multiplied from.
 */
export async function sellDozen({ apiUrl, token }: Line): Promise<void> {
  const register = openRegister({ apiUrl, token });
  let last: { orderId: number; itemIds: readonly number[] } | undefined;
  for (let n = 0; n < salesOfTemplate; n++) last = await sellOne(register, n);
  if (last)
    mustBe(
      await register.takeBack({
        ...{ returnSaleId: saleIdOf(salesOfTemplate), orderId: last.orderId, method: 'cash' },
        lines: [{ itemId: last.itemIds[0] ?? 0, qty: 1 }],
      }),
    );
}

const saleIdOf = (n: number) => `template-${String(n).padStart(2, '0')}-${crypto.randomUUID()}`;

function openRegister({ apiUrl, token }: Line): Register {
  const client = createClient({ url: `${apiUrl}/rest`, token });
  const place = {
    ...{ terminalId: firstIds.pos_terminal, locationId: firstIds.pos_location, staffId: 1, staffName: 'Ada Lovelace' },
    ...{ storeId: 1, money: { currency: 'USD' } },
    address: {
      ...{ firstname: 'Walk-in', lastname: 'Customer', street: ['1 High Street'], city: 'Troy', postcode: '12180' },
      ...{ countryId: 'US', telephone: '555 0100' },
    },
  };
  return createRegister({ client, outbox: createOutbox({ client, store: memoryStore() }), place, patienceMs: 60_000 });
}

/** Each is a guest of an address of its own. */
const sellOne = async (register: Register, n: number) =>
  mustBe(
    await register.sell({
      saleId: saleIdOf(n),
      lines: Array.from({ length: linesOfSale }, (_, line) => ({
        ...{ sku: `SKU-${String(line + 1).padStart(5, '0')}`, name: `Product number ${line + 1}`, taxPercent: 8 },
        ...{ productId: firstIds.product + line, qty: 1, price: 10 },
      })),
      payment: cash,
      buyer: { email: `guest-${String(n).padStart(2, '0')}@bench.example` },
    }),
  );

function mustBe<Value>(made: Made<Value>): Value {
  if (made.kind === 'done') return made.value;
  throw new Error(`A sale of the template was not done: ${JSON.stringify(made)}`);
}
