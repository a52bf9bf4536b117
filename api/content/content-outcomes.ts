import { alreadyTaken } from '../../domain/content/content-refusals.ts';
import type { Outcome } from '../http/route.ts';
import { unknownEntity } from '../wire/outcomes.ts';
import type { ContentType } from './content-type.ts';

/** Refusals of most content routes, in the words of `domain/content/content-refusals.ts`. */

export const unknownContent = ({ kind, noun }: ContentType): Outcome => ({
  status: 404,
  message:
    kind === 'page' || kind === 'block'
      ? `The CMS ${noun} with the "%1" ID doesn't exist.`
      : `The ${noun} with the "%1" ID doesn't exist.`,
  when: `There is no ${noun} of this id.`,
});

export const changedSince: readonly Outcome[] = [
  {
    status: 409,
    code: 'content_changed',
    message: 'This was changed since you read it. Read it again.',
    when: 'The body names a `revision`, and another editor has changed it since.',
    then: 'Read it, show both to the editor, send what is wanted with the new revision.',
  },
  {
    status: 412,
    code: 'content_changed',
    message: 'This was changed since you read it. Read it again.',
    when: 'As 409, where an `If-Match` header says what was read.',
  },
];

/** A sentence for every route that removes a block from view. */
export const stillSeen = ({ kind }: ContentType): string =>
  kind === 'block'
    ? ` A block taken away from more than 20 others, counted in each store view, stays visible in them until a worker has
        rendered them without it: seconds, or as long as every worker is away.`
    : '';

export const unknownVersion: Outcome = {
  status: 404,
  message: 'The version %1 does not exist.',
  when: 'It has no version of this number.',
};

/** 400 without a name or a title, or where they are taken; 404 for an owner that is not there. */
export const unsavable = ({ noun, kind, ownerKey }: ContentType): readonly Outcome[] => [
  {
    status: 400,
    message: '"%fieldName" is required. Enter and try again.',
    when: `A new ${noun} without a name, a title${ownerKey === undefined ? '' : ` or \`${ownerKey}\``}.`,
  },
  {
    status: 400,
    message: alreadyTaken(kind).message,
    when: 'Its name is taken in this store view, or cannot be one; another sentence says why.',
  },
];

/** 404 for a new text of a product or category that does not exist. */
export const unknownOwner = ({ ownerKey }: ContentType): readonly Outcome[] =>
  ownerKey === undefined ? [] : [unknownEntity(`\`${ownerKey}\` is of nothing that exists.`)];
