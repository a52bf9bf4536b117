import { randomUUID } from 'node:crypto';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import { aReceipt, aTerminal } from '../../support/builders/counter.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { unlessEqual, type CrashFlow } from '../crash-flow.ts';
import type { Lane } from '../lane.ts';
import { countOf } from './count-of.ts';

const api = ['api'] as const;
const none = () => [];

const place = (lane: Lane, entity: object) => lane.teller.press('POST', '/V1/orders', { entity });

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
        answers.push((await place(lane, aPostedSale({ extension_attributes: { pos_sale_id: saleId } }))).status);
        const receipt = aReceipt(terminalId, { sale_id: saleId });
        for (let sent = 0; sent < 2; sent++)
          answers.push((await lane.teller.press('POST', '/V1/pos/receipts', { receipt })).status);
      },
      faults: async () => [
        ...unlessEqual('the answers', answers, [200, 200, 200]),
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
    let answer = 0;
    return {
      async go() {
        answer = (await place(lane, entity)).status;
      },
      faults: async () => [
        ...unlessEqual('the answer', answer, 200),
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

export const outsideCreditAtPlacement: CrashFlow = {
  id: 'F19',
  title: 'place an order that is paid with credit kept outside',
  processes: api,
  async prepare(lane) {
    const saleId = randomUUID();
    const code = `OUTSIDE-${saleId}`;
    lane.creditService.balances.set(code, 500_000);
    const credits = [{ credit_type: 'gift_card', provider_code: 'credit_service', code, amount: 30 }];
    const entity = aPostedSale({ extension_attributes: { pos_sale_id: saleId, pos_applied_credits: credits } });
    const orders: unknown[] = [];
    return {
      async go() {
        for (let sent = 0; sent < 2; sent++) orders.push((await place(lane, entity)).body.entity_id);
      },
      faults: async () => [
        ...unlessEqual('orders answered', new Set(orders).size, 1),
        ...unlessEqual('orders of the sale', await countOf(lane, 'from sales_order where pos_sale_id = ?', saleId), 1),
        ...unlessEqual('what is left on the card', lane.creditService.balances.get(code), 200_000),
      ],
      workflows: none,
    };
  },
};

export const saleFlows = [receiptSync, walletMoves, creditAtPlacement, outsideCreditAtPlacement];
