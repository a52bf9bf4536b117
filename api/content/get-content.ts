import { z } from 'zod';
import { route } from '../http/route.ts';
import { idParam } from '../wire/schemas.ts';
import { answerContent } from './answer-content.ts';
import { contentAnswer } from './content-answer.ts';
import { exampleAnswer } from './content-example.ts';
import { unknownContent } from './content-outcomes.ts';
import type { ContentType } from './content-type.ts';

/**
 * Reads content as its editors see it, the newest draft, with an `ETag` to send back as `If-Match` (spec 4.12).
 *
 * Refused with: 404 unknown id.
 */
export const getContent = (type: ContentType) =>
  route({
    method: 'GET',
    path: `${type.path}/:id`,
    acl: type.read,
    isForAdmins: true,
    name: `get${type.name}`,
    summary: `Read a ${type.noun}`,
    description: `The newest draft. The \`ETag\` says which change of it this is: send it as \`If-Match\` with what
      you change.`,
    outcomes: [unknownContent(type)],
    examples: [{ title: 'A published one', params: { id: 7 }, response: exampleAnswer(type, 1) }],
    params: z.object({ id: idParam }),
    response: contentAnswer,

    handle: (around) => answerContent(type, around, around.params.id),
  });
