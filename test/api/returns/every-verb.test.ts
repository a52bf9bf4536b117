import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { createReturn } from '../../../db/returns/create-return.ts';
import { terminalStatuses, type ReturnStatus } from '../../../domain/returns/return-status.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { anOrder } from '../../support/builders/order.ts';
import { anItem } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';

/** What is the same for every verb of a return (spec 3.2). */
let api: TestApi;
let locationId: number;
beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(fork()));
});
afterAll(() => api.close());

const { fork, howMany, change } = booksOf(() => api.orm);

interface Asked {
  rma_item_id: number;
  status: ReturnStatus;
}

interface Verb {
  verb: string;
  body: (asked: Asked) => object;
  method?: 'PUT';
  /** What answers it for a return that has ended. */
  answeredBy: 'a replay' | 'the return as it is' | 'a refusal';
}

const verbs: Verb[] = [
  {
    verb: 'settle',
    body: () => ({ method: 'original_payment', reference: 'T-1', adjustmentNegative: 1 }),
    answeredBy: 'a replay',
  },
  { verb: 'close', body: () => ({ comment: 'again' }), answeredBy: 'a replay' },
  {
    verb: 'receive',
    body: ({ rma_item_id }) => ({ itemsJson: JSON.stringify([{ rma_item_id }]), locationId }),
    answeredBy: 'a replay',
  },
  {
    verb: 'resolve',
    body: ({ rma_item_id }) => ({ resolutionsJson: JSON.stringify([{ rma_item_id, resolution_mode: 'repair' }]) }),
    answeredBy: 'a replay',
  },
  {
    verb: 'status',
    method: 'PUT',
    body: ({ status }) => ({ status, comment: 'again' }),
    answeredBy: 'the return as it is',
  },
  { verb: 'status', method: 'PUT', body: () => ({ status: 'approved', comment: 'again' }), answeredBy: 'a refusal' },
  { verb: 'cancel-refund', body: () => ({ comment: 'again' }), answeredBy: 'a refusal' },
];

const call = (method: string, path: string, body?: object) =>
  api.call(method, `/V1/pos/rma/${path}`, { token: api.tokens.register, ...(body ? { body } : {}) });

/** A return that has ended in this status, as a register is shown it. */
async function anEnded(status: ReturnStatus) {
  const order = await anOrder(fork());
  const { returnId } = await createReturn(api.orm.em, {
    orderId: order.orderId,
    customerId: null,
    locationId,
    items: [anItem(order.itemIds[0]!)],
    comment: null,
    isAutoApproved: false,
    refundMethod: null,
    posSaleId: null,
  });
  await change('sale_return', { return_id: returnId }, { status });
  const shown = () => call('GET', String(returnId)).then(({ body }) => body);
  const before = await shown();
  expect(before.status).toBe(status);
  return { returnId, before, shown, asked: { rma_item_id: before.items[0].entity_id, status } };
}

describe.each(verbs)(
  '$verb: a return that has ended is answered by $answeredBy',
  ({ verb, method = 'POST', body, answeredBy }) => {
    test('an unknown return is 404, and no word of the register is kept', async () => {
      const answer = await call(method, `999999/${verb}`, body({ rma_item_id: 1, status: 'closed' }));
      expect(answer.status).toBe(404);
      expect(await howMany('sale_return_comment')).toBe(0);
    });

    test.each(terminalStatuses)(
      'a return that is %s stays so, also when it is sent eight times at once',
      async (status) => {
        const { returnId, before, shown, asked } = await anEnded(status);
        const send = () => call(method, `${returnId}/${verb}`, body(asked));

        for (const answer of [await send(), ...(await eightAtOnce(send))]) {
          expect(answer.status).toBe(answeredBy === 'a refusal' ? 400 : 200);
          if (answeredBy !== 'a refusal') expect(answer.body).toEqual(before);
          expect(answer.headers.get(replayHeader)).toBe(answeredBy === 'a replay' ? 'true' : null);
        }
        expect(await shown()).toEqual(before);
      },
    );
  },
);
