import sanitize, { type Attributes, type IOptions } from 'sanitize-html';
import { invalid } from '../../domain/errors.ts';
import { emptiedTags, keptAttributes, keptTags } from './html-words.ts';
import { isKeptLink, isKeptMedia } from './kept-urls.ts';
import { ownId } from './own-id.ts';
import { sanitiseStyleAttribute } from './sanitise-css.ts';

/** Deeper than any page that a person writes. */
const maxNesting = 100;
/** The parser's time grows with the square of what is left open. */
const maxTags = 20_000;

/**
 * HTML as it may be shown in a page, a register's window or a mail: only elements and attributes of the list, links that
 * lead to the web, pictures that come from there. The rest is left out, its text is kept. Twice is as once.
 *
 * Ids get a prefix, so that none is one the page around knows; links to them follow.
 *
 * Refused with 400: more than 20 000 tags.
 */
export function sanitiseHtml(html: string): string {
  if (html.split('<', maxTags + 2).length > maxTags + 1)
    throw invalid('Content must not have more than %1 tags.', [maxTags]);
  return sanitize(html, options);
}

const attributesOf = (given: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const kept = keepValue(name, value);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );

function keepValue(name: string, value: string): string | undefined {
  switch (name) {
    case 'id':
      return /^[\w-]{1,100}$/.test(value) ? ownId(value) : undefined;
    case 'href':
      if (/^#[\w-]{1,100}$/.test(value)) return `#${ownId(value.slice(1))}`;
      return isKeptLink(value) ? value : undefined;
    case 'cite':
      return isKeptLink(value) ? value : undefined;
    case 'src':
    case 'poster':
      return isKeptMedia(value) ? value : undefined;
    case 'srcset':
      return value.split(',').every((one) => isKeptLink(one.trim())) ? value : undefined;
    case 'style':
      return sanitiseStyleAttribute(value) || undefined;
    case 'target':
      return value === '_blank' || value === '_self' ? value : undefined;
    default:
      return value;
  }
}

const options: IOptions = {
  allowedTags: [...keptTags],
  allowedAttributes: keptAttributes,
  nonTextTags: emptiedTags,
  nestingLimit: maxNesting,
  // What `attributesOf` says of addresses is stricter; these hold where it was forgotten.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'], source: ['http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowProtocolRelative: false,
  // Styles are held by our own rules, the same as in a stylesheet.
  parseStyleAttributes: false,
  transformTags: {
    '*': (tagName, attribs) => ({ tagName, attribs: attributesOf(attribs) }),
    // A page that is opened must not reach the one that opened it.
    a: (tagName, attribs) => ({ tagName, attribs: { ...attributesOf(attribs), rel: 'noopener noreferrer' } }),
  },
};
