import sanitize, { type Attributes, type IOptions } from 'sanitize-html';
import { invalid } from '../../domain/errors.ts';
import { emptiedTags, keptAttributes, keptTags } from './html-words.ts';
import { isKeptLink, isKeptMedia } from './kept-urls.ts';
import { ownId } from './own-id.ts';
import { sanitiseStyleAttribute } from './sanitise-css.ts';

/** Deeper than any hand-written page. */
const maxNesting = 100;
/** The parser's time grows with the square of the number of unclosed tags. */
const maxTags = 20_000;

/**
 * HTML that is safe in a page, a register's window or a mail: only listed elements and attributes, links to the web,
 * pictures from there. Other elements are removed, their text is kept. A repeat changes nothing.
 *
 * Ids get a prefix, so that none equals an id of the surrounding page; links to them follow.
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
  // `attributesOf` is stricter about addresses; these schemes apply where it has no rule.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'], source: ['http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite', 'poster'],
  allowProtocolRelative: false,
  // Styles follow our own rules, as in a stylesheet.
  parseStyleAttributes: false,
  transformTags: {
    '*': (tagName, attribs) => ({ tagName, attribs: attributesOf(attribs) }),
    // The opened page must not reach the page that opened it.
    a: (tagName, attribs) => ({ tagName, attribs: { ...attributesOf(attribs), rel: 'noopener noreferrer' } }),
  },
};
