import { z } from 'zod';
import { readDocumentComments } from '../../db/platform/orders/read-document-comments.ts';
import { ofParent } from '../wire/of-parent.ts';
import { route, type Acl, type Route } from './route.ts';
import { idParam, listAnswer } from '../wire/schemas.ts';
import { documentCommentAnswer, renderDocumentComment } from '../wire/document-comment.ts';

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
