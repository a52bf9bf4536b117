import { GraphQLError } from 'graphql';
import type { PublishedContent } from '../../../db/content/read-published.ts';
import type { ContentFields } from '../../../domain/content/content-kind.ts';
import type { ContentRequest } from './content-request.ts';

/** The limit of one answer, enough for a hundred pages. Aliases could request one text thirty times. */
export const maxAnswerLetters = 4_194_304;

/** A page with the schema's fields; keys are the platform's (platform facts 11). */
export const pageOf = (row: PublishedContent) => ({
  ...textsOf(row),
  identifier: row.identifier,
  url_key: row.identifier,
  ...Object.fromEntries(shownFields.map((field) => [field, row.fields[field] ?? null])),
});

export const blockOf = (row: PublishedContent) => ({ ...textsOf(row), identifier: row.identifier });

export const attributeOf = (row: PublishedContent) => ({ ...textsOf(row), attribute_code: row.identifier });

/** The fields of a page; layout and theme concern only editors. */
const shownFields = [
  'content_heading',
  'page_layout',
  'meta_title',
  'meta_keywords',
  'meta_description',
] as const satisfies readonly (keyof ContentFields)[];

/** Each is counted when it is requested. */
const textsOf = ({ title, content, html, css }: PublishedContent) => ({
  title,
  content: counted(content),
  html: counted(html),
  css: counted(css),
});

const counted = (text: string) => (_given: unknown, request: ContentRequest) => {
  request.lettersLeft -= text.length;
  if (request.lettersLeft < 0) throw new GraphQLError(`The answer is longer than ${maxAnswerLetters} characters.`);
  return text;
};
