import { z } from 'zod';
import { findRenewal } from '../../db/content/render-places.ts';
import { publishContent, unpublishContent } from '../../db/content/publish-content.ts';
import { findContent, findVersion, listVersions } from '../../db/content/read-content.ts';
import { rollBackContent } from '../../db/content/content.ts';
import { versionNotFound } from '../../domain/refusals/content.ts';
import { renderContent } from '../../providers/content/render-content-lazily.ts';
import { route, type Route, type RouteContext } from '../http/route.ts';
import { fieldsOf, named, perhaps } from '../wire/fields.ts';
import { idParam, integer, isoDate } from '../wire/schemas.ts';
import {
  changedSince,
  contentAnswer,
  exampleAnswer,
  renderContentRow,
  stillSeen,
  unknownContent,
} from './content-answer.ts';
import { followRenewals, type ContentType } from './content-type.ts';
import { expectedRevision, tagOf } from './schedules.ts';

/**
 * Present content with its tag, and for a block the progress of rendering it elsewhere. Refused with: 404 unknown id.
 */
export async function answerContent(
  type: ContentType,
  { em, setHeader }: Pick<RouteContext, 'em' | 'setHeader'>,
  contentId: number,
) {
  const row = await findContent(em, { kind: type.kind, contentId });
  setHeader('ETag', tagOf(row));
  return renderContentRow(type, row, type.kind === 'block' ? await findRenewal(em, row.identifier) : undefined);
}

const { answer: versionAnswer, render: renderVersion } = fieldsOf(
  {
    version: named('number', z.int()),
    title: z.string(),
    author: z.string(),
    created_at: {
      answer: isoDate.meta({ description: 'When it was saved, ISO 8601.' }),
      show: (stored: Date) => stored.toISOString(),
    },
    repeats: perhaps(z.int().meta({ description: 'The older version that was rolled back to.' })),
  },
  'ContentVersion',
);

/** With its texts. */
const wholeVersionAnswer = versionAnswer
  .extend({
    content: z.string(),
    css: z.string(),
    fields: z.record(z.string(), z.string()),
  })
  .meta({ id: 'WholeContentVersion' });

/**
 * The versions of content, who saved which when, newest first: at most 100, further ones from `before` down (spec
 * 4.12).
 *
 * Refused with: 404 unknown id.
 */
export const listVersionsRoute = (type: ContentType) =>
  route({
    method: 'GET',
    path: `${type.path}/:id/versions`,
    acl: type.read,
    isForAdmins: true,
    name: `list${type.name}Versions`,
    summary: `List the versions of a ${type.noun}`,
    description: 'Newest first, 100 at most, without their texts. For older ones send the last number as `before`.',
    outcomes: [unknownContent(type)],
    examples: [{ title: 'Two versions', params: { id: 7 }, response: [exampleVersion(2), exampleVersion(1)] }],
    params: z.object({ id: idParam }),
    query: z.object({ before: integer.default(2_147_483_647) }),
    response: z.array(versionAnswer),

    async handle({ em, params: { id }, query: { before } }) {
      await findContent(em, { kind: type.kind, contentId: id });
      return (await listVersions(em, { contentId: id, before })).map(renderVersion);
    },
  });

/**
 * One version of content, whole (spec 4.12). Refused with: 404 unknown id or version.
 */
export const getVersionRoute = (type: ContentType) =>
  route({
    method: 'GET',
    path: `${type.path}/:id/versions/:version`,
    acl: type.read,
    isForAdmins: true,
    name: `get${type.name}Version`,
    summary: `Read a version of a ${type.noun}`,
    description: 'As it was saved. It never changes.',
    outcomes: [unknownContent(type), versionNotFound],
    examples: [
      {
        title: 'The first',
        params: { id: 7, version: 1 },
        response: { ...exampleVersion(1), content: '<p>Closed today.</p>', css: '', fields: {} },
      },
    ],
    params: z.object({ id: idParam, version: idParam }),
    response: wholeVersionAnswer,

    async handle({ em, params: { id, version } }) {
      await findContent(em, { kind: type.kind, contentId: id });
      const { content, css, fields, ...row } = await findVersion(em, { contentId: id, number: version });
      return { ...renderVersion(row), content, css, fields: { ...fields } };
    },
  });

const exampleVersion = (version: number) => ({
  version,
  title: 'Good morning',
  author: 'ada',
  created_at: `2026-11-23T09:3${version}:00.000Z`,
});

/**
 * Shows content to everybody, rendered now: a version, or without one the newest (spec 4.12).
 *
 * Refused with: 404 unknown id or version · 409, 412 it was changed since it was read.
 */
export const publishContentRoute = (type: ContentType) =>
  route({
    ...wordsOf(type, 'publish', {
      summary: `Publish a ${type.noun}`,
      description: `HTML and CSS are made safe and widgets filled in now, once. An older \`version\` goes live again the
same
        way. A block within more than 20 others, counted in each store view, is rendered there by a worker: until
\`renewal\`
        is finished, these show it as it was. A repeat renders again and changes nothing else.`,
      outcomes: [versionNotFound],
    }),
    params: z.object({ id: idParam }),
    body: z.object({ version: integer.optional(), revision: integer.optional() }),
    response: contentAnswer,

    async handle(context) {
      await publishContent(context.em, { ...refOf(type, context), number: context.body.version });
      await followRenewals(type, context);
      return answerContent(type, context, context.params.id);
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

    async handle(context) {
      await unpublishContent(context.em, refOf(type, context));
      await followRenewals(type, context);
      return answerContent(type, context, context.params.id);
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
      outcomes: [versionNotFound],
      body: { version: 1 },
    }),
    params: z.object({ id: idParam }),
    body: z.object({ version: integer, revision: integer.optional() }),
    response: contentAnswer,

    async handle(context) {
      await rollBackContent(context.em, { ...refOf(type, context), number: context.body.version });
      return answerContent(type, context, context.params.id);
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

type Verb = Pick<RouteContext, 'em' | 'caller' | 'now' | 'workflows' | 'log' | 'header' | 'setHeader'> & {
  params: { id: number };
  body: { revision?: number | undefined };
};

const refOf = ({ kind }: ContentType, { params, body, caller, now, header }: Verb) => ({
  ...{ kind, contentId: params.id, author: caller.name, now, render: renderContent },
  expected: expectedRevision(header('if-match'), body.revision),
});
