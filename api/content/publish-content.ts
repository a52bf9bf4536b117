import { z } from 'zod';
import { publishContent, unpublishContent } from '../../db/content/publish-content.ts';
import { rollBackContent } from '../../db/content/roll-back-content.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { route, type Route, type RouteContext } from '../http/route.ts';
import { idParam, integer } from '../wire/schemas.ts';
import { answerContent } from './answer-content.ts';
import { contentAnswer } from './content-answer.ts';
import { exampleAnswer } from './content-example.ts';
import { changedSince, stillSeen, unknownContent, unknownVersion } from './content-outcomes.ts';
import type { ContentType } from './content-type.ts';
import { expectedRevision } from './expected-revision.ts';
import { followRenewals } from './follow-renewals.ts';

/** Verbs of existing content. Each answers its new state, and a repeat changes nothing. */

/**
 * Shows content to everybody, rendered now: a version, or without one the newest (spec 4.12).
 *
 * Refused with: 404 unknown id or version · 409, 412 it was changed since it was read.
 */
export const publishContentRoute = (type: ContentType) =>
  route({
    ...wordsOf(type, 'publish', {
      summary: `Publish a ${type.noun}`,
      description: `HTML and CSS are made safe and widgets filled in now, once. An older \`version\` goes live again the same
        way. A block within more than 20 others, counted in each store view, is rendered there by a worker: until \`renewal\`
        is finished, these show it as it was. A repeat renders again and changes nothing else.`,
      outcomes: [unknownVersion],
    }),
    params: z.object({ id: idParam }),
    body: z.object({ version: integer.optional(), revision: integer.optional() }),
    response: contentAnswer,

    async handle(around) {
      await publishContent(around.em, { ...refOf(type, around), number: around.body.version });
      await followRenewals(type, around);
      return answerContent(type, around, around.params.id);
    },
  });

/**
 * Unpublishes content: the public no longer sees that it exists (spec 4.12). Drafts and versions stay.
 *
 * Refused with: 404 unknown id · 409, 412 it was changed since it was read.
 */
export const unpublishContentRoute = (type: ContentType) =>
  route({
    ...wordsOf(type, 'unpublish', {
      summary: `Take a ${type.noun} back`,
      description: `To the public it looks like one that never was. Drafts and versions stay.${stillSeen(type)}`,
    }),
    params: z.object({ id: idParam }),
    body: z.object({ revision: integer.optional() }),
    response: contentAnswer,

    async handle(around) {
      await unpublishContent(around.em, refOf(type, around));
      await followRenewals(type, around);
      return answerContent(type, around, around.params.id);
    },
  });

/**
 * Makes an older version the draft again, as one more version; what is shown stays (spec 4.12).
 *
 * Refused with: 404 unknown id or version · 409, 412 it was changed since it was read.
 */
export const rollBackContentRoute = (type: ContentType) =>
  route({
    ...wordsOf(type, 'rollback', {
      summary: `Make an older version of a ${type.noun} the draft`,
      description: 'It is one more version, so nothing is lost. What is shown stays until you publish.',
      outcomes: [unknownVersion],
      body: { version: 1 },
    }),
    params: z.object({ id: idParam }),
    body: z.object({ version: integer, revision: integer.optional() }),
    response: contentAnswer,

    async handle(around) {
      await rollBackContent(around.em, { ...refOf(type, around), number: around.body.version });
      return answerContent(type, around, around.params.id);
    },
  });

type Words = Pick<Route, 'summary' | 'description' | 'outcomes'> & { body?: unknown };

function wordsOf(type: ContentType, verb: string, { outcomes = [], body = {}, ...words }: Words) {
  const verbName = verb === 'rollback' ? 'rollBack' : verb;
  return {
    ...words,
    method: 'POST',
    path: `${type.path}/:id/${verb}`,
    acl: type.write,
    isForAdmins: true,
    name: `${verbName}${type.name}`,
    outcomes: [unknownContent(type), ...outcomes, ...changedSince],
    examples: [
      {
        title: 'Done',
        params: { id: 7 },
        body,
        response: exampleAnswer(type, verb === 'publish' ? 1 : undefined),
      },
    ],
  } as const;
}

type Around = Pick<RouteContext, 'em' | 'caller' | 'now' | 'workflows' | 'log' | 'header' | 'setHeader'> & {
  params: { id: number };
  body: { revision?: number | undefined };
};

const refOf = ({ kind }: ContentType, { params, body, caller, now, header }: Around) => ({
  ...{ kind, contentId: params.id, author: caller.name, now, render: renderContent },
  expected: expectedRevision(header('if-match'), body.revision),
});
