import { z } from 'zod';
import { findContent, findVersion, listVersions, type VersionRow } from '../../db/content/read-content.ts';
import { route } from '../http/route.ts';
import { idParam, integer, isoDate } from '../wire/schemas.ts';
import { unknownContent, unknownVersion } from './content-outcomes.ts';
import type { ContentType } from './content-type.ts';

const versionAnswer = z
  .object({
    version: z.int(),
    title: z.string(),
    author: z.string(),
    created_at: isoDate.meta({ description: 'When it was saved, ISO 8601.' }),
    repeats: z.int().optional().meta({ description: 'The older version that was rolled back to.' }),
  })
  .meta({ id: 'ContentVersion' });

/** With its texts. */
const wholeVersionAnswer = versionAnswer
  .extend({
    content: z.string(),
    css: z.string(),
    fields: z.record(z.string(), z.string()),
  })
  .meta({ id: 'WholeContentVersion' });

/**
 * The versions of content, who saved which when, newest first: at most 100, further ones from `before` down (spec 4.12).
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
    outcomes: [unknownContent(type), unknownVersion],
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
      return { ...renderVersion(row), content, css, fields };
    },
  });

const renderVersion = ({ number, title, author, createdAt, repeats }: VersionRow) => ({
  version: number,
  title,
  author,
  created_at: createdAt.toISOString(),
  ...(repeats === null ? {} : { repeats }),
});

const exampleVersion = (version: number) => ({
  version,
  title: 'Good morning',
  author: 'ada',
  created_at: `2026-11-23T09:3${version}:00.000Z`,
});
