import { z } from 'zod';
import { searchReceipts } from '../../db/receipts/link-receipt.ts';
import { findWholeReceipt } from '../../db/receipts/read-receipt.ts';
import { findReceipt, findReceiptItems } from '../../db/receipts/receipt.repository.ts';
import { couldNotSaveReceipt, saveReceipt, type NewReceipt } from '../../db/receipts/save-receipt.ts';
import { definedFields } from '../../db/support/defined-fields.ts';
import { findLicense } from '../../db/terminals/activate-terminal.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { layawayKinds, saleTypes } from '../../domain/receipts/receipt-payments.ts';
import { receiptFault } from '../../domain/receipts/receipt-view.ts';
import { attributeNameNotValid } from '../../domain/refusals/platform.ts';
import { activeLicenseRequired, receiptNotFound, receiptNotSaved } from '../../domain/refusals/register.ts';
import { isActivePro } from '../../domain/terminals.ts';
import { longListRefusal } from '../http/arguments.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { route, type RouteContext } from '../http/route.ts';
import { markReplayed } from '../http/within.ts';
import { everything, renderList, searchCriteria, tooManyRows, unread } from '../wire/criteria.ts';
import { refusalOf } from '../wire/refusal-of.ts';
import {
  flag,
  growing,
  idParam,
  isoDate,
  listAnswer,
  quantity,
  recordId,
  reference,
  storedMoney,
  text,
} from '../wire/schemas.ts';
import { isStorableJson } from '../wire/storable-json.ts';
import { receiptAnswer, renderReceipt } from './render-receipt.ts';

/** The request's own limit is smaller. */
const document = text(20_000_000).optional();
const word = text(255).optional();
const money = storedMoney.optional();
/** For regular sales and plain receipts the kind is absent or empty. */
const kind = <const Word extends string>(words: readonly Word[]) =>
  z
    .enum([...words, ''])
    .optional()
    .transform((input) => words.find((known) => known === input));

const item = growing({
  sku: word,
  name: document,
  qty: quantity.optional(),
  price: money,
  rowTotal: money,
  taxAmount: money,
  discountAmount: money,
  baseUnitPrice: money,
  fulfillmentMode: text(64).optional(),
});

/** A receipt that a register sends (spec 2.14). It grows by version: unknown keys are ignored. */
const receiptPayload = growing({
  saleId: reference(255).optional(),
  posOrderId: reference(255).optional(),
  terminalId: recordId.optional(),
  registerSessionUuid: text(64).optional(),
  locationId: recordId.optional(),
  staffId: recordId.optional(),
  staffName: word,
  terminalName: word,
  locationName: word,
  orderIncrementId: word,
  paymentMethod: word,
  subtotal: money,
  taxAmount: money,
  discountAmount: money,
  grandTotal: money,
  currency: text(3).optional(),
  createdAt: isoDate.optional(),
  receiptToken: word,
  receiptNumber: word,
  amountTendered: money,
  changeDue: money,
  items: z.array(item).max(10_000).optional(),
  rawPayload: document,
  receiptModel: document,
  saleType: kind(saleTypes),
  creditMemoId: recordId.optional(),
  rmaId: recordId.optional(),
  originalOrderIncrementId: word,
  shippingRefund: money,
  adjustmentPositive: money,
  adjustmentNegative: money,
  layawayKind: kind(layawayKinds),
  layawayAmountCaptured: money,
  layawayTotalPaid: money,
  layawayBalanceOwed: money,
  layawayExpiresAt: isoDate.optional(),
  splitPayments: document,
  shipToShipments: document,
  backorderShipments: document,
  appliedCredits: document,
  terminalProvider: word,
  terminalPaymentId: word,
  terminalDashboardUrl: document,
  terminalInfo: document,
  terminalRawPayload: document,
  isReverseCharge: flag.optional(),
  pointsEarned: money,
  customerName: word,
  customerEmail: word,
});

type PostedReceipt = z.output<typeof receiptPayload>;

/** The sale's id: `pos_order_id`, or `sale_id` where that is unset (spec 2.14). */
const saleIdOf = ({ posOrderId, saleId }: PostedReceipt) => posOrderId || saleId || undefined;

/** A receipt as stored: an empty token counts as absent, and a new one is generated. */
function newReceipt(posted: PostedReceipt, posOrderId: string): NewReceipt {
  const { items = [], receiptToken, posOrderId: _asPosted, ...fields } = posted;
  return {
    fields: {
      ...definedFields(fields),
      orderIncrementId: fields.orderIncrementId || null,
      registerSessionUuid: fields.registerSessionUuid?.toLowerCase() || null,
      posOrderId,
    },
    items: items.map(definedFields),
    receiptToken: receiptToken || undefined,
  };
}

/** Every free text of a register, with the name of its field on the wire. */
const textsOf = ({ items = [], ...posted }: PostedReceipt): [name: string, text: string | undefined][] => [
  ['raw_payload', posted.rawPayload],
  ['receipt_model', posted.receiptModel],
  ['split_payments', posted.splitPayments],
  ['ship_to_shipments', posted.shipToShipments],
  ['backorder_shipments', posted.backorderShipments],
  ['applied_credits', posted.appliedCredits],
  ['terminal_payment_id', posted.terminalPaymentId],
  ['terminal_dashboard_url', posted.terminalDashboardUrl],
  ['terminal_info', posted.terminalInfo],
  ['terminal_raw_payload', posted.terminalRawPayload],
  ['receipt_number', posted.receiptNumber],
  ['payment_method', posted.paymentMethod],
  ['staff_name', posted.staffName],
  ['customer_name', posted.customerName],
  ...items.flatMap(({ sku, name }): [string, string | undefined][] => [
    ['items.sku', sku],
    ['items.name', name],
  ]),
];

/** A receipt that may be stored. */
export interface ReadReceipt {
  posted: PostedReceipt;
  posOrderId: string;
}

const body = z.object({ receipt: receiptPayload });
const naming = growing({ terminalId: recordId.optional() });

/** The terminal that a receipt names, read before the rest; an unreadable one counts as none. */
function terminalOf(input: unknown): number | undefined {
  const { success, data } = naming.safeParse(input);
  return success ? data.terminalId : undefined;
}

const refuseLongLists = longListRefusal(body);

/** Refused with: 400 `Could not save the receipt: %1`, for any fault of the receipt (spec 4.9). */
function readReceipt(receipt: unknown): ReadReceipt {
  if (!isStorableJson(receipt)) throw couldNotSaveReceipt('it has characters or numbers that cannot be stored.');
  const input = { receipt: receipt ?? undefined };
  try {
    refuseLongLists(input);
  } catch (error) {
    throw error instanceof PosError ? couldNotSaveReceipt(inWords(error.refusal)) : error;
  }
  const read = body.safeParse(input, { reportInput: true });
  if (!read.success) throw couldNotSaveReceipt(inWords(refusalOf(read.error.issues, input).refusal));
  const posted = read.data.receipt;
  const posOrderId = saleIdOf(posted);
  const receiptToken = posted.receiptToken || undefined;
  const fault = receiptFault({ posOrderId, receiptToken, texts: textsOf(posted) });
  if (fault !== undefined || posOrderId === undefined) throw couldNotSaveReceipt(fault ?? '');
  return { posted, posOrderId };
}

/** Takes the receipt of a completed sale, before or after its order is placed (spec 4.9). */
export const createReceipt = route({
  method: 'POST',
  path: '/V1/pos/receipts',
  acl: 'Vendor_Pos::receipts',
  summary: "Store a completed sale's receipt",
  name: 'createReceipt',
  description: `Send it before the order is placed. \`pos_order_id\`, or \`sale_id\`, is the sale: a repeat answers
    the stored receipt and changes at most a newer token and a missing order number. The order is linked by its
    \`pos_sale_id\`. Money is in the sale’s currency. Without \`receipt_token\` the server makes one. Keep the receipt
    on the register until there is a 2xx.`,
  outcomes: [
    activeLicenseRequired,
    receiptNotSaved,
    {
      status: 413,
      message: 'The request body must not be larger than %1 bytes.',
      when: 'It is larger than 1 MB.',
      then: 'Leave `raw_payload` out.',
    },
  ],
  body: z.object({ receipt: unread(receiptPayload).meta({ id: 'Receipt' }) }).meta({ required: ['receipt'] }),
  takesAnyJson: true,
  response: receiptAnswer,
  isPrivate: true,

  async handle({ em, body, settings, now, setHeader }) {
    await requireLicense(em, terminalOf(body.receipt), now);
    const { posted, posOrderId } = readReceipt(body.receipt);
    const box = secretBoxOf(settings);
    const receiptId = await saveReceipt(em, box, newReceipt(posted, posOrderId), () => markReplayed({ setHeader }));
    const { receipt, items } = await findReceipt(em, receiptId);
    return renderReceipt(receipt, items, box);
  },
});

async function requireLicense(em: RouteContext['em'], terminalId: number | undefined, now: Date): Promise<void> {
  const license = terminalId === undefined ? undefined : await findLicense(em, terminalId);
  if (!isActivePro(license, now)) throw activeLicenseRequired();
}

/** Receipts with their lines (spec 4.9). */
export const listReceipts = route({
  method: 'GET',
  path: '/V1/pos/receipts',
  acl: 'Vendor_Pos::receipts',
  summary: 'List receipts',
  name: 'listReceipts',
  description: `Filter by \`location_id\`, \`terminal_id\`, \`created_at\`, \`sale_type\`, \`order_increment_id\`,
    \`pos_order_id\` and \`receipt_id\`. An answer has at most 2,000 receipts: read more in pages.`,
  outcomes: [attributeNameNotValid, tooManyRows],
  query: z.object({ searchCriteria: searchCriteria.default(everything) }),
  response: listAnswer(receiptAnswer),
  isPrivate: true,

  async handle({ reader, query, settings }) {
    const { rows, totalCount } = await searchReceipts(reader, query.searchCriteria);
    const items = await findReceiptItems(
      reader,
      rows.map((row) => row.receipt_id),
    );
    const linesOf = Map.groupBy(items, (item) => item.receipt_id);
    const box = secretBoxOf(settings);
    return renderList(
      query.searchCriteria,
      rows.map((row) => renderReceipt(row, linesOf.get(row.receipt_id) ?? [], box)),
      totalCount,
    );
  },
});

/** One receipt with its lines (spec 4.9). */
export const getReceipt = route({
  method: 'GET',
  path: '/V1/pos/receipts/:receiptId',
  acl: 'Vendor_Pos::receipts',
  summary: 'One receipt',
  name: 'getReceipt',
  description: 'The receipt with its lines, and the token of its public page.',
  outcomes: [receiptNotFound],
  params: z.object({ receiptId: idParam }),
  response: receiptAnswer,
  isPrivate: true,

  async handle({ em, params, settings }) {
    const { receipt, items } = await findWholeReceipt(em, params.receiptId);
    return renderReceipt(receipt, items, secretBoxOf(settings));
  },
});
