import { z } from 'zod';
import { commentDocument } from '../../db/platform/orders/comment-document.ts';
import { documentCommentAnswer, renderDocumentComment } from '../wire/document-comment.ts';
import { refuseCardData } from '../../domain/refuse-card-data.ts';
import { route, type Outcome, type Route } from './route.ts';
import { cardNumber } from '../wire/outcomes.ts';
import { flag, growing, idParam, text } from '../wire/schemas.ts';

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
  'The comment is kept with the document and shown with it. The customer gets no mail. A repeat adds another comment. The document in the path beats `parent_id`.';

const said = { comment: 'A chip in the rim', is_customer_notified: false, is_visible_on_front: true };
const shown = { is_customer_notified: 0, is_visible_on_front: 1 };
const kept = { entity_id: 3, parent_id: 7, created_at: '2026-11-21 09:30:00', ...said, ...shown };
const examples = [{ title: 'Shown to the customer', params: { id: 7 }, body: { entity: said }, response: kept }];

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
  description: `${description.replace(' The document in the path beats `parent_id`.', '')} \`parent_id\` is the invoice.`,
  outcomes,
  examples: [{ title: 'Shown to the customer', body: { entity: { ...said, parent_id: 7 } }, response: kept }],
  body: z.object({ entity: growing({ ...words, parentId: idParam }) }),
  response: documentCommentAnswer,

  async handle({ em, body: { entity } }) {
    refuseCardData(entity.comment);
    return renderDocumentComment(await commentDocument(em, { ...entity, document: 'invoice' }));
  },
});
