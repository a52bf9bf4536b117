import { beforeAll, beforeEach, expect, test } from 'vitest';
import { explainOrder } from '../../../../books/explain/explain-order.ts';
import { renderStory } from '../../../../books/explain/render-story.ts';
import { readDocumentToTell } from '../../../../db/mails/read-document-to-tell.ts';
import { readReceiptView } from '../../../../db/receipts/read-receipt-view.ts';
import { saveReceipt } from '../../../../db/receipts/save-receipt.ts';
import { documentLetter } from '../../../../domain/mails/document-letter.ts';
import type { MailedDocument } from '../../../../domain/mails/mail-life.ts';
import { aShopper } from '../../../support/builders/cart.ts';
import { secretBox } from '../../../support/builders/counter.ts';
import { aCup, type Cup, type Entered } from '../../../support/builders/cup.ts';
import { aPostedLine, aPostedSale } from '../../../support/builders/posted-sale.ts';
import { booksOf } from '../../../support/books.ts';
import { api, opensAShop } from './orders-of-carts.ts';

opensAShop();
let cup: Cup;
beforeAll(async () => {
  cup = await aCup(api);
});
beforeEach(() => fillShelves());

const { fork, find, findOne, fillShelves } = booksOf(() => api.orm);
const admin = (method: string, path: string, body?: object) =>
  api.call(method, path, { token: api.tokens.admin, ...(body ? { body } : {}) });
const gold: Entered = { engraving: 'For Ada', glaze: ['Gold'] };
const asEntered = [
  { label: 'engraving', value: 'For Ada' },
  { label: 'glaze', value: 'Gold' },
];

async function aSaleOfACup(): Promise<number> {
  const shopper = await aShopper(api);
  await shopper.open();
  const cartItem = { sku: 'CUP', qty: 1, product_option: cup.enter(gold) };
  await shopper.call('POST', '/items', { cartItem });
  await shopper.ship();
  return (await shopper.place()).body;
}

async function letterOf(document: MailedDocument, documentId: number): Promise<string | undefined> {
  const told = await readDocumentToTell(fork(), { document, documentId });
  return told && documentLetter(told.document).text;
}

test('mails about the order, its invoice, its parcel and its credit memo say what was entered', async () => {
  const orderId = await aSaleOfACup();
  const lines = '- 1 × Cup CUP\n  engraving: For Ada\n  glaze: Gold\n';
  expect(await letterOf('order', orderId)).toContain(lines);
  const { body: invoiceId } = await admin('POST', `/V1/order/${orderId}/invoice`, { capture: true });
  const { body: shipmentId } = await admin('POST', `/V1/order/${orderId}/ship`, {});
  const { body: memoId } = await admin('POST', `/V1/order/${orderId}/refund`, {});
  for (const [document, id] of [
    ['invoice', invoiceId],
    ['shipment', shipmentId],
    ['creditmemo', memoId],
  ] as const)
    expect(await letterOf(document, Number(id))).toContain(lines);
});

test('what was entered keeps its names when the product changes', async () => {
  const orderId = await aSaleOfACup();
  const { body } = await admin('GET', `/V1/products/CUP/options/${cup.ids.engraving}`);
  await admin('PUT', `/V1/products/options/${cup.ids.engraving}`, { option: { ...body, title: 'Words' } });
  expect(await letterOf('order', orderId)).toContain('  engraving: For Ada\n');
  await admin('PUT', `/V1/products/options/${cup.ids.engraving}`, { option: body });
});

test('an order that a register sends says it too, and what the product does not have says nothing', async () => {
  const { entity_id: productId } = await findOne('product', { sku: 'CUP' }, 'entity_id');
  const { extension_attributes: own } = cup.enter(gold);
  const custom_options = [...own.custom_options, { option_id: '999999', option_value: 'x' }, 'nothing', {}];
  const product_option = { extension_attributes: { custom_options } };
  const line = { sku: 'CUP-ENGR-GOLD', product_id: productId, qty_ordered: 1, product_option };
  const entity = aPostedSale({ customer_id: null, customer_is_guest: 1, items: [aPostedLine(line)] });
  const { body } = await admin('POST', '/V1/orders', { entity });
  expect(await find('sales_order_item', { order_id: body.entity_id }, 'entered_options')).toEqual([
    { entered_options: asEntered },
  ]);
});

test('the story of an order says it', async () => {
  const orderId = await aSaleOfACup();
  const { increment_id: number } = await findOne('sales_order', { entity_id: orderId }, 'increment_id');
  expect(renderStory(await explainOrder(fork(), String(number)))).toContain(
    '1 × Cup CUP (CUP-ENGR-GOLD) with engraving "For Ada" and glaze "Gold"',
  );
});

test('a receipt shows it, unless the register’s own document does', async () => {
  const orderId = await aSaleOfACup();
  const { increment_id: orderIncrementId } = await findOne('sales_order', { entity_id: orderId }, 'increment_id');
  const items = [
    { sku: 'PLATE', name: 'Plate' },
    { sku: 'CUP-ENGR-GOLD', name: 'Cup' },
  ];
  const shown = async (posOrderId: string, receiptModel?: object) => {
    const token = posOrderId.padStart(64, 'c');
    await saveReceipt(fork(), secretBox, {
      fields: {
        ...{ posOrderId, currency: 'USD', orderIncrementId: String(orderIncrementId) },
        ...(receiptModel ? { receiptModel: JSON.stringify(receiptModel) } : {}),
      },
      ...{ items, receiptToken: token },
    });
    const view = await readReceiptView(fork(), { token }, { box: secretBox, publicBaseUrl: undefined });
    return view.items.map(({ options }) => options);
  };
  expect(await shown('e1')).toEqual([[], asEntered]);
  const own = [{ label: 'Text', value: 'Ada' }];
  expect(await shown('e2', { schema_version: 1, items: [{ sku: 'CUP-ENGR-GOLD', options: own }] })).toEqual([own]);
  expect(await shown('e3', { schema_version: 1, items: [{ sku: 'CUP-ENGR-GOLD' }] })).toEqual([asEntered]);
});
