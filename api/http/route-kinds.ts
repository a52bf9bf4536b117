import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { RequestedMemo } from '../../db/platform/credit-memos/refund-invoice.ts';
import { commentDocument } from '../../db/platform/orders/read-order-comments.ts';
import { readDocumentComments } from '../../db/platform/orders/read-documents.ts';
import type { Found } from '../../db/support/search.ts';
import { joined, transact } from '../../db/support/transact.ts';
import { refuseCardData } from '../../domain/card-data.ts';
import type { MailedDocument } from '../../domain/mails/letters.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { orderEmailNotOneAddress } from '../../domain/refusals/documents.ts';
import { idRequired } from '../../domain/refusals/platform.ts';
import type { WalletActor } from '../../domain/store-credit.ts';
import { ofParent } from '../wire/rows.ts';
import { documentCommentAnswer, renderDocumentComment } from '../wire/documents.ts';
import { everything, renderList, searchCriteria } from '../wire/criteria.ts';
import { cardNumber } from '../wire/outcomes.ts';
import { flag, growing, idParam, listAnswer, text } from '../wire/schemas.ts';
import {
  route,
  type Acl,
  type Caller,
  type HeaderWord,
  type Outcome,
  type Route,
  type RouteContext,
  type StoreScope,
} from './route.ts';
import type { DocumentRemark } from '../../db/platform/orders/document-remark.ts';

/** The longest comment. */
const maxComment = 65_535;

const words = {
  comment: text(maxComment),
  isCustomerNotified: flag.default(false),
  isVisibleOnFront: flag.default(false),
};

interface CommentOn extends Pick<Route, 'name' | 'path' | 'summary' | 'acl'> {
  document: Parameters<typeof commentDocument>[1]['document'];
}

const outcomes: readonly Outcome[] = [
  {
    status: 404,
    message: "The entity that was requested doesn't exist. Verify the entity and try again.",
    when: 'No document of this kind has this id.',
  },
  cardNumber,
];

const description =
  'The comment is kept with the document and shown with it. The customer gets no mail. A repeat adds another ' +
  'comment. The document in the path beats `parent_id`.';

const shownComment = { comment: 'A chip in the rim', is_customer_notified: false, is_visible_on_front: true };
const shown = { is_customer_notified: 0, is_visible_on_front: 1 };
const stored = { entity_id: 3, parent_id: 7, created_at: '2026-11-21 09:30:00', ...shownComment, ...shown };
const examples = [
  { title: 'Shown to the customer', params: { id: 7 }, body: { entity: shownComment }, response: stored },
];

/**
 * Adds a comment to a document whose id is in the path (platform facts 5.5, 7.5). A repeat adds another one.
 *
 * Refused with: 404 unknown document · 400 card data (our choice).
 */
export const commentDocumentRoute = ({ document, ...of }: CommentOn) =>
  route({
    ...of,
    method: 'POST',
    description,
    outcomes,
    examples,
    params: z.object({ id: idParam }),
    body: z.object({ entity: growing(words) }),
    response: documentCommentAnswer,

    async handle({ em, params: { id }, body: { entity } }) {
      refuseCardData(entity.comment);
      return renderDocumentComment(await commentDocument(em, { ...entity, document, parentId: id }));
    },
  });

/** Adds a comment to an invoice that the body names (platform facts 6). Otherwise as `commentDocumentRoute`. */
export const commentInvoice = route({
  name: 'commentInvoice',
  method: 'POST',
  path: '/V1/invoices/comments',
  acl: 'Platform_Sales::sales_invoice',
  summary: 'Comment on an invoice',
  description: `${description.replace(' The document in the path beats `parent_id`.', '')} \`parent_id\` is the
invoice.`,
  outcomes,
  examples: [{ title: 'Shown to the customer', body: { entity: { ...shownComment, parent_id: 7 } }, response: stored }],
  body: z.object({ entity: growing({ ...words, parentId: idParam }) }),
  response: documentCommentAnswer,

  async handle({ em, body: { entity } }) {
    refuseCardData(entity.comment);
    return renderDocumentComment(await commentDocument(em, { ...entity, document: 'invoice' }));
  },
});

interface CommentsOf extends Pick<Route, 'path' | 'summary' | 'name' | 'description' | 'outcomes' | 'examples'> {
  acl: Acl;
  document: Parameters<typeof readDocumentComments>[1];
}

/** The comments on a document, newest first; empty for an unknown document (platform facts 3.5). */
export const documentCommentsRoute = ({ document, ...words }: CommentsOf) =>
  route({
    ...words,
    method: 'GET',
    params: z.object({ id: idParam }),
    response: listAnswer(documentCommentAnswer),

    async handle({ em, params: { id } }) {
      const rows = await readDocumentComments(em, document, id);
      return ofParent(id, rows.map(renderDocumentComment));
    },
  });

interface List<Row, Item> extends Pick<
  Route,
  'path' | 'summary' | 'name' | 'description' | 'outcomes' | 'examples' | 'isForAdmins'
> {
  acl: Acl;
  /** The schema of one row's answer. */
  answer: z.ZodType<unknown, Item>;
  /** Whether a call without criteria gets every row. Otherwise it is refused, as in most of the platform's lists. */
  isWholeByDefault?: boolean;
  find: (em: EntityManager, criteria: SearchCriteria) => Promise<Found<Row>>;
  render: (row: Row, store: StoreScope) => Item;
}

/** A list as the platform has it (platform facts 3). Each row is rendered without the other rows. */
export const listRoute = <Row, Item>({ answer, isWholeByDefault = false, find, render, ...words }: List<Row, Item>) =>
  route({
    ...words,
    method: 'GET',
    query: z.object({ searchCriteria: isWholeByDefault ? searchCriteria.default(everything) : searchCriteria }),
    response: listAnswer(answer),

    async handle({ reader, store, query: { searchCriteria: criteria } }) {
      const { rows, totalCount } = await find(reader, criteria);
      return renderList(
        criteria,
        rows.map((row) => render(row, store)),
        totalCount,
      );
    },
  });

/** How a document is sent to its customer. Registered in the wiring. */
export interface MailDocument {
  /** Undefined when the customer has no address. The same key is the same mail. */
  post: (
    em: EntityManager,
    requested: { document: MailedDocument; documentId: number; key: string; isAskedFor?: boolean },
  ) => Promise<number | undefined>;
  /** After the commit. */
  send: (mailId: number, context: Pick<RouteContext, 'workflows' | 'log'>) => void;
}

interface MailOf extends Pick<Route, 'name' | 'path' | 'acl' | 'summary'> {
  document: MailedDocument;
  mailDocument: MailDocument;
}

/**
 * Makes the route that sends a document to the customer of its order (platform facts 5.4, 6, 7.1). A repeat sends it
 * again when the first mail is out, and nothing before that.
 *
 * Refused with: 404 unknown document · 400 the order 0 · 400 an address that is not one.
 */
export const mailDocumentRoute = ({ document, mailDocument, ...of }: MailOf) =>
  route({
    ...of,
    method: 'POST',
    description:
      'The mail is put into the outbox and goes out within moments; `true` does not wait for the mail server. ' +
      '`false`: the order has no address, or that of the walk-in customer or of an erased person, or the shop ' +
      'has no mail server. While a mail of the same document waits to go out, a repeat is that mail; after that ' +
      'it is another. `email_sent` of the document is 1 once the mail server took it.',
    outcomes: [
      {
        status: 404,
        message: "The entity that was requested doesn't exist. Verify the entity and try again.",
        when: 'No document of this kind has this id.',
      },
      orderEmailNotOneAddress,
      ...(document === 'order' ? [idRequired] : []),
    ],
    examples: [{ title: 'Sent to the customer', params: { id: 7 }, response: true }],
    params: z.object({ id: idParam }),
    response: z.boolean(),

    async handle({ em, operation, params, providers, workflows, log }) {
      const requested = { document, documentId: params.id, key: operation.key, isAskedFor: true };
      const mailId = await mailDocument.post(em, requested);
      if (mailId === undefined || !providers.mail.isEnabled) return false;
      mailDocument.send(mailId, { workflows, log });
      return true;
    },
  });

interface Requested {
  document: MailedDocument;
  /** The request's own word. */
  notify: boolean;
  mailDocument: MailDocument;
}

/**
 * Makes a document of an order and, where the request says `notify`, puts its mail into the outbox in the same
 * transaction (platform facts 5.5, 6, 7.1). A repeat with the same `Idempotency-Key` posts no second mail.
 *
 * @returns the document's id
 */
export async function madeWithMail(
  { document, notify, mailDocument }: Requested,
  { em, operation, providers, workflows, log }: RouteContext,
  make: (em: EntityManager) => Promise<number>,
): Promise<number> {
  if (!notify) return make(em);
  const { documentId, mailId } = await transact(em, async (tx) => {
    const whole = joined(tx);
    const id = await make(whole);
    return { documentId: id, mailId: await mailDocument.post(whole, { document, documentId: id, key: operation.key }) };
  });
  if (mailId !== undefined && providers.mail.isEnabled) mailDocument.send(mailId, { workflows, log });
  return documentId;
}

/** For routes that recognise a repeat by `X-Request-Id` when there is no `Idempotency-Key`. */
export const requestIdWord: HeaderWord = {
  name: 'X-Request-Id',
  description: `Without an \`Idempotency-Key\`, a repeat with the same id is the same request. Letters, digits and
    \`_ . : -\`, at most 64.`,
  example: 'register-7-return-2026-11-23-0001',
};

/** A refund of one invoice through the gateway that took its money: plain data, because a worker carries it out. */
export interface OnlineRefund extends RequestedMemo {
  orderId: number;
  comment: DocumentRemark | undefined;
}

/** Has the money given back once and the memo booked. Returns the memo's id. Registered in the wiring. */
export type RefundOnline = (refund: OnlineRefund, context: RouteContext) => Promise<number>;

/**
 * The actor in a wallet's history (spec 2.17): an administrator or an integration; for any other caller the shop
 * itself.
 */
export const walletActor = ({ userType, userId }: Pick<Caller, 'userType' | 'userId'>): WalletActor => {
  if (userType === 'admin') return { adminUserId: userId };
  return userType === 'integration' ? { apiUser: { type: userType, id: userId } } : {};
};
