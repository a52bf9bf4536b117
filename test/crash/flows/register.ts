import { randomUUID } from 'node:crypto';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aReceipt, aTerminal } from '../../support/builders/counter.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';

const api = ['api'] as const;
const none = () => [];

const countOf = async ({ orm }: Lane, sql: string, ...parameters: unknown[]): Promise<number> => {
  const [row] = await orm.em.fork().execute<{ count: string }[]>(`select count(*) ${sql}`, parameters);
  return Number(row?.count);
};

/** The platform places an order as often as it is asked: whoever got no answer looks first whether it is there. */
async function placeOnce(lane: Lane, entity: object, saleId: string): Promise<void> {
  const filter = 'searchCriteria[filter_groups][0][filters][0]';
  const list = `/V1/orders?${filter}[field]=pos_sale_id&${filter}[value]=${saleId}`;
  for (;;) {
    const answer = await lane.teller.pressOnce('POST', '/V1/orders', { entity });
    if (answer?.status === 200) return;
    if (answer && answer.status < 503) throw new Error(`the order was refused: ${JSON.stringify(answer)}`);
    const { body } = await lane.teller.press('GET', list);
    if (body.total_count > 0) return;
  }
}

export const receiptSync: CrashFlow = {
  id: 'F10',
  title: 'place an order, then sync its receipt',
  processes: api,
  async prepare(lane) {
    const { terminalId } = await aTerminal(lane.orm.em.fork(), {});
    const saleId = randomUUID();
    const answers: number[] = [];
    return {
      async go() {
        await placeOnce(lane, aPostedSale({ extension_attributes: { pos_sale_id: saleId } }), saleId);
        const receipt = aReceipt(terminalId, { sale_id: saleId });
        for (let sent = 0; sent < 2; sent++)
          answers.push((await lane.teller.press('POST', '/V1/pos/receipts', { receipt })).status);
      },
      faults: async () => [
        ...unlessEqual('the answers', answers, [200, 200]),
        ...unlessEqual(
          'receipts of the sale',
          await countOf(lane, 'from pos_receipt where pos_order_id = ? or sale_id = ?', saleId, saleId),
          1,
        ),
        ...unlessEqual('orders of the sale', await countOf(lane, 'from sales_order where pos_sale_id = ?', saleId), 1),
      ],
      workflows: none,
    };
  },
};

export const walletMoves: CrashFlow = {
  id: 'F11',
  title: 'credit a wallet, then debit it',
  processes: api,
  async prepare(lane) {
    const customerId = await aCustomer(lane.orm.em.fork());
    const key = randomUUID();
    const move = (verb: 'credit' | 'debit', amount: number) =>
      lane.teller.press('POST', `/V1/vendor-store-credit/${verb}`, {
        customerId,
        websiteId: 1,
        amount,
        reason: 'crash',
        idempotencyKey: `${key}-${verb}`,
      });
    const bodies: unknown[] = [];
    return {
      async go() {
        for (const [verb, amount] of [
          ['credit', 12.5],
          ['debit', 2.5],
        ] as const)
          bodies.push((await move(verb, amount)).body.balance_after);
        bodies.push((await move('credit', 12.5)).body.balance_after);
      },
      faults: async () => [
        ...unlessEqual('the balances answered', bodies, [12.5, 10, 12.5]),
        ...unlessEqual(
          'entries of the wallet',
          await countOf(
            lane,
            'from store_credit_entry join store_credit_wallet using (wallet_id) where customer_id = ?',
            customerId,
          ),
          2,
        ),
      ],
      workflows: none,
    };
  },
};

export const creditAtPlacement: CrashFlow = {
  id: 'F18',
  title: 'place an order that is paid with store credit',
  processes: api,
  async prepare(lane) {
    const customerId = await aCustomerWithCredit(lane.orm, '50');
    const saleId = randomUUID();
    const credits = [{ credit_type: 'store_credit', amount: 50 }];
    const entity = aPostedSale({
      customer_id: customerId,
      extension_attributes: { pos_sale_id: saleId, pos_applied_credits: credits },
    });
    return {
      go: () => placeOnce(lane, entity, saleId),
      faults: async () => [
        ...unlessEqual('orders of the sale', await countOf(lane, 'from sales_order where pos_sale_id = ?', saleId), 1),
        ...unlessEqual(
          'empty wallets of the customer',
          await countOf(lane, 'from store_credit_wallet where customer_id = ? and amount = 0', customerId),
          1,
        ),
      ],
      workflows: none,
    };
  },
};

export const heldCart: CrashFlow = {
  id: 'F15',
  title: 'hold a cart, recall it, delete it',
  processes: api,
  async prepare(lane) {
    const heldCart = {
      location_id: lane.shop.locationId,
      cart_uuid: randomUUID(),
      cart_data: '{"lines":[]}',
      item_count: 1,
      grand_total: 10,
      currency_code: 'USD',
    };
    const statuses: number[] = [];
    return {
      async go() {
        const held = await lane.teller.press('POST', '/V1/pos/held-carts', { heldCart });
        const id: number = held.body.held_cart_id;
        const recalled = await lane.teller.press('POST', `/V1/pos/held-carts/${id}/recall`, { staffId: 1 });
        const gone = await lane.teller.press('DELETE', `/V1/pos/held-carts/${id}`);
        statuses.push(held.status, recalled.status, gone.status);
      },
      // A recall or a delete whose answer was lost is told, when pressed again, that it has happened.
      faults: async () => [
        ...(statuses[0] === 200 ? [] : [`the cart was held with ${statuses[0]}`]),
        ...statuses
          .slice(1)
          .filter((status) => status >= 500)
          .map((status) => `an answer of ${status}`),
        ...unlessEqual(
          'carts left',
          await countOf(lane, 'from pos_held_cart where cart_uuid = ?', heldCart.cart_uuid),
          0,
        ),
      ],
      workflows: none,
    };
  },
};

export const telemetryBatch: CrashFlow = {
  id: 'F16',
  title: 'submit a batch of telemetry',
  processes: api,
  async prepare(lane) {
    const device = randomUUID();
    const events = [1, 2, 3].map((value) => ({
      event_type: 'counter',
      event_name: 'checkout_completed',
      value,
      recorded_at: new Date().toISOString().slice(0, 19).replace('T', ' '),
    }));
    let status = 0;
    return {
      async go() {
        const payload = { location_id: 1, terminal_id: 1, device_id: device, app_version: '1', events };
        ({ status } = await lane.teller.press('POST', '/V1/pos/telemetry', { payload }));
      },
      faults: async () => {
        const stored = await countOf(lane, 'from pos_telemetry_event where device_id = ?', device);
        return [
          ...unlessEqual('the answer', status, 200),
          ...(stored > 0 && stored % events.length === 0 ? [] : [`${stored} events stored of a batch of 3`]),
        ];
      },
      workflows: none,
    };
  },
};

export const activation: CrashFlow = {
  id: 'F17',
  title: 'activate a terminal',
  processes: api,
  async prepare(lane) {
    const em = lane.orm.em.fork();
    const { terminalId } = await aTerminal(em, { deviceIdentifier: null });
    const [row] = await em.execute<{ activation_code: string }[]>(
      'select activation_code from pos_terminal where terminal_id = ?',
      [terminalId],
    );
    const deviceIdentifier = randomUUID();
    let last = 0;
    return {
      async go() {
        const body = { activationCode: row?.activation_code, deviceIdentifier };
        ({ status: last } = await lane.teller.press('POST', '/V1/pos/terminals/activate', body));
      },
      faults: async () => [
        ...(last < 500 ? [] : [`an answer of ${last}`]),
        ...unlessEqual(
          'terminals bound to the device',
          await countOf(lane, 'from pos_terminal where device_identifier = ?', deviceIdentifier),
          1,
        ),
      ],
      workflows: none,
    };
  },
};

export const registerFlows = [receiptSync, walletMoves, creditAtPlacement, heldCart, telemetryBatch, activation];
