import { z } from 'zod';
import { publishContent, unpublishContent } from '../../db/content/publish-content.ts';
import { findContent } from '../../db/content/read-content.ts';
import { rollBackContent } from '../../db/content/roll-back-content.ts';
import { renderContent } from '../../providers/content/render-content.ts';
import { route, type Route, type Surroundings } from '../support/route.ts';
import { idParam, integer } from '../support/schemas.ts';
import { contentAnswer, renderContentRow } from './content-answer.ts';
import { exampleAnswer } from './content-example.ts';
import { changedSince, unknownContent, unknownVersion } from './content-outcomes.ts';
import type { ContentType } from './content-type.ts';
import { expectedRevision, tagOf } from './expected-revision.ts';

/** Verbs of content that is there. Each answers how it stands then, and a repeat changes nothing. */

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
        way. A repeat renders anew and changes nothing else.`,
      outcomes: [unknownVersion],
    }),
    params: z.object({ id: idParam }),
    body: z.object({ version: integer.optional(), revision: integer.optional() }),
    response: contentAnswer,

    async handle(around) {
      await publishContent(around.em, { ...refOf(type, around), number: around.body.version });
      return answer(type, around);
    },
  });

/**
 * Takes content back: to the public it looks like one that never was (spec 4.12). Drafts and versions stay.
 *
 * Refused with: 404 unknown id · 409, 412 it was changed since it was read.
 */
export const unpublishContentRoute = (type: ContentType) =>
  route({
    ...wordsOf(type, 'unpublish', {
      summary: `Take a ${type.noun} back`,
      description: 'To the public it looks like one that never was. Drafts and versions stay.',
    }),
    params: z.object({ id: idParam }),
    body: z.object({ revision: integer.optional() }),
    response: contentAnswer,

    async handle(around) {
      await unpublishContent(around.em, refOf(type, around));
      return answer(type, around);
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
      return answer(type, around);
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

type Around = Pick<Surroundings, 'em' | 'caller' | 'now' | 'header' | 'setHeader'> & {
  params: { id: number };
  body: { revision?: number | undefined };
};

const refOf = ({ kind }: ContentType, { params, body, caller, now, header }: Around) => ({
  ...{ kind, contentId: params.id, author: caller.name, now, render: renderContent },
  expected: expectedRevision(header('if-match'), body.revision),
});

async function answer(type: ContentType, { em, params, setHeader }: Around) {
  const row = await findContent(em, { kind: type.kind, contentId: params.id });
  setHeader('ETag', tagOf(row));
  return renderContentRow(type, row);
}
