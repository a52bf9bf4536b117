import { z } from 'zod';
import { changeContent, createContent } from '../../db/content/save-content.ts';
import { fieldRequired } from '../../domain/errors.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { route, type RouteContext } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { answerContent } from './answer-content.ts';
import { contentAnswer } from './content-answer.ts';
import { exampleAnswer, exampleBody } from './content-example.ts';
import { changedSince, stillSeen, unknownContent, unknownOwner, unsavable } from './content-outcomes.ts';
import { contentPayload, toContentWish, type ContentPayload } from './content-payload.ts';
import type { ContentType } from './content-type.ts';
import { expectedRevision } from './expected-revision.ts';
import { followRenewals } from './follow-renewals.ts';

/**
 * Saves a draft (spec 4.12): a new one, or what is sent of the one whose id the body names (platform facts 11). It is for
 * the store view of the path; under `/rest/all` for every view that has none of its own.
 *
 * Refused with: 404 unknown id · 409, 412 it was changed since it was read · 400 no name or title, a name that is taken.
 */
export const createContentRoute = (type: ContentType) =>
  route({
    method: 'POST',
    path: type.path,
    acl: type.write,
    isForAdmins: true,
    name: `create${type.name}`,
    summary: `Save the draft of a ${type.noun}`,
    description: `It is hidden until it is published. It is for the store view of the path, with \`/rest/all\` for every
      view. With an \`id\` it changes that one, as PUT does. Without one a repeat is refused, because the name is taken.`,
    outcomes: [...unsavable(type), ...unknownOwner(type), unknownContent(type), ...changedSince],
    examples: [{ title: 'A new one', body: exampleBody(type), response: exampleAnswer(type) }],
    body: z.object({ [type.key]: contentPayload(type) }),
    response: contentAnswer,

    async handle(around) {
      const given = contentIn(type, around.body);
      const { em, store, caller } = around;
      if (given.id !== undefined) return change(type, around, { contentId: given.id, given });
      const contentId = await createContent(em, {
        ...{ kind: type.kind, storeId: store.storeId, author: caller.name, wish: toContentWish(type, given) },
        ...{ productId: given.productId, categoryId: given.categoryId },
      });
      return answerContent(type, around, contentId);
    },
  });

/**
 * Saves what is sent of content as its next draft and keeps the rest (spec 4.12); `active` and `liveview` count at once. The
 * same twice is one version.
 *
 * Refused with: 404 unknown id · 409, 412 it was changed since it was read · 400 a name that is taken.
 */
export const updateContentRoute = (type: ContentType) =>
  route({
    method: 'PUT',
    path: `${type.path}/:id`,
    acl: type.write,
    isForAdmins: true,
    name: `update${type.name}`,
    summary: `Change the draft of a ${type.noun}`,
    description: `Each change of title, text, CSS or page fields is one more version; what is shown stays until you publish.
      \`active\` and \`liveview\` count at once. Send the revision you have read, by \`If-Match\` or \`revision\`: then the
      second of two editors is refused. A repeat changes nothing.${stillSeen(type)}`,
    outcomes: [...unsavable(type), unknownContent(type), ...changedSince],
    examples: [{ title: 'Changed', params: { id: 7 }, body: exampleBody(type), response: exampleAnswer(type, 1) }],
    params: z.object({ id: idParam }),
    body: z.object({ [type.key]: contentPayload(type) }),
    response: contentAnswer,
    handle: (around) => change(type, around, { contentId: around.params.id, given: contentIn(type, around.body) }),
  });

type Around = Pick<RouteContext, 'em' | 'caller' | 'workflows' | 'log' | 'header' | 'setHeader'>;

function contentIn({ key }: ContentType, body: Readonly<Record<string, ContentPayload>>): ContentPayload {
  const given = body[key];
  if (!given) throw fieldRequired(key);
  return given;
}

async function change(
  type: ContentType,
  around: Around,
  { contentId, given }: { contentId: number; given: ContentPayload },
) {
  await changeContent(around.em, {
    ...{ kind: type.kind, contentId, wish: toContentWish(type, given), author: around.caller.name },
    expected: expectedRevision(around.header('if-match'), given.extensionAttributes?.revision),
    render: renderContent,
  });
  await followRenewals(type, around);
  return answerContent(type, around, contentId);
}
