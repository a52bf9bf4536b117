import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { expect, test } from '@jest/globals';
import { createReceiptActivities } from '../../../activities/receipts.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { money } from '../../../domain/money.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { silent } from '../../support/fakes.ts';

test('a browser that takes its time to start is not taken for a dead process', async () => {
  const orm = await testDatabase();
  await aShop(orm.em.fork());
  const receiptId = await saveReceipt(orm.em.fork(), secretBox, {
    fields: { posOrderId: 'slow-browser', grandTotal: money('54.00'), currency: 'USD' },
    items: [],
  });
  // Starts once the process has said that it lives.
  let startBrowser = () => {};
  const started = new Promise<string>((resolve) => (startBrowser = () => resolve('none after all')));
  const printer = { missing: () => started, print: () => Promise.reject(new Error()), close: () => Promise.resolve() };
  const activities = createReceiptActivities({ orm, printer, box: secretBox, publicBaseUrl: undefined, log: silent });

  const context = { heartbeat: () => startBrowser() } as unknown as Context;
  expect(await asyncLocalStorage.run(context, () => activities.makeReceiptPdf({ receiptId }))).toBe('no_browser');
  await orm.close();
});
