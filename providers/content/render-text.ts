import { createHash } from 'node:crypto';
import sanitize, { type Attributes, type IOptions } from 'sanitize-html';
import type { BlockWithin } from '../../db/content/read-blocks-within.ts';
import {
  addressIn,
  fillIn,
  meaningOf,
  publicSettingPaths,
  type ContentToRender,
  type Meaning,
  type PublicSettings,
  type RenderedText,
} from '../../domain/content.ts';
import { invalid } from '../../domain/errors.ts';
import { maxBlockDepth, tooDeep } from './gather-blocks.ts';
import { isStoredLink, isStoredMedia, ownId, sanitiseCss, sanitiseStyleAttribute } from './sanitise-css.ts';

/** Elements that show something and run nothing. Forms are removed: content must not ask for input. */
const storedTags: readonly string[] = [
  ...['address', 'article', 'aside', 'footer', 'header', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hgroup', 'main', 'nav'],
  ...['section', 'blockquote', 'dd', 'div', 'dl', 'dt', 'figcaption', 'figure', 'hr', 'li', 'ol', 'p', 'pre', 'ul'],
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'br', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'i', 'ins', 'kbd', 'mark', 'q'],
  ...['rb', 'rp', 'rt', 'rtc', 'ruby', 's', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr'],
  ...['caption', 'col', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
  ...['img', 'picture', 'source', 'video', 'audio', 'track', 'details', 'summary', 'center', 'font', 'strike', 'tt'],
];

/**
 * Other elements are removed but their text is kept. Of these elements the text is removed, too, because it is code.
 */
const emptiedTags: string[] = [
  ...[
    'script',
    'style',
    'textarea',
    'option',
    'select',
    'noscript',
    'noembed',
    'noframes',
    'iframe',
    'object',
    'embed',
  ],
  ...['applet', 'template', 'xmp', 'plaintext', 'listing', 'svg', 'math', 'title', 'head', 'frameset', 'portal'],
];

/** No `on…`, `name` or `data-…`: scripts of the page could read those. */
const storedAttributes: IOptions['allowedAttributes'] = {
  '*': ['class', 'id', 'title', 'lang', 'dir', 'style', 'role', 'aria-label', 'aria-hidden', 'aria-level'],
  a: ['href', 'target', 'rel', 'hreflang'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
  source: ['src', 'srcset', 'sizes', 'media', 'type', 'width', 'height'],
  video: ['src', 'poster', 'width', 'height', 'controls', 'autoplay', 'loop', 'muted', 'playsinline', 'preload'],
  audio: ['src', 'controls', 'loop', 'muted', 'preload'],
  track: ['src', 'kind', 'srclang', 'label', 'default'],
  table: ['border', 'cellpadding', 'cellspacing', 'width'],
  td: ['colspan', 'rowspan', 'align', 'valign', 'width'],
  th: ['colspan', 'rowspan', 'scope', 'align', 'valign', 'width'],
  col: ['span', 'width'],
  colgroup: ['span'],
  ol: ['start', 'reversed', 'type'],
  li: ['value'],
  blockquote: ['cite'],
  q: ['cite'],
  del: ['cite', 'datetime'],
  ins: ['cite', 'datetime'],
  time: ['datetime'],
  data: ['value'],
  details: ['open'],
  font: ['color', 'size', 'face'],
};

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

const attributesOf = (input: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const stored = keepValue(name, value);
      return stored === undefined ? [] : [[name, stored]];
    }),
  );

function keepValue(name: string, value: string): string | undefined {
  switch (name) {
    case 'id':
      return /^[\w-]{1,100}$/.test(value) ? ownId(value) : undefined;
    case 'href':
      if (/^#[\w-]{1,100}$/.test(value)) return `#${ownId(value.slice(1))}`;
      return isStoredLink(value) ? value : undefined;
    case 'cite':
      return isStoredLink(value) ? value : undefined;
    case 'src':
    case 'poster':
      return isStoredMedia(value) ? value : undefined;
    case 'srcset':
      return value.split(',').every((one) => isStoredLink(one.trim())) ? value : undefined;
    case 'style':
      return sanitiseStyleAttribute(value) || undefined;
    case 'target':
      return value === '_blank' || value === '_self' ? value : undefined;
    default:
      return value;
  }
}

const options: IOptions = {
  allowedTags: [...storedTags],
  allowedAttributes: storedAttributes,
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

/** The limit after everything is filled in. An editor's page is a hundredth of it. */
export const maxContentLength = 1_048_576;
/** How often blocks may occur in one text, in total: empty blocks cost time too. */
const maxTimes = 1_000;

interface Expansion {
  blocks: ReadonlyMap<string, BlockWithin>;
  settings: PublicSettings;
  /** Puts a block's text into the box to which its styles are limited. */
  inBox: (html: string, css: string) => string;
}

/**
 * The text with all directives filled in, and the blocks in it. It is not sanitised yet.
 *
 * A block within itself is left out at its second occurrence. Refused with 400: longer than 1 MB, deeper than five
 * blocks.
 */
function expandContent(
  html: string,
  { blocks, settings, inBox }: Expansion,
): { html: string; shown: readonly BlockWithin[] } {
  const shown = new Set<BlockWithin>();

  const expand = (text: string, within: readonly string[]): string =>
    checked(fillIn(text, (directive) => fill(meaningOf(directive), within)));

  const fill = (meaning: Meaning, within: readonly string[]): string => {
    switch (meaning.is) {
      case 'block':
        return expandBlock(meaning.identifier, within);
      case 'setting':
        return escaped(isPublic(meaning.path) ? (settings.get(meaning.path) ?? '') : '');
      case 'address':
        return escaped(addressIn(settings, meaning.path));
      case 'link':
        return `<a href="${escaped(addressIn(settings, meaning.path))}" title="${escaped(meaning.title)}">${escaped(meaning.text)}</a>`;
      case 'nothing':
        return '';
    }
  };

  let length = 0;
  let times = 0;
  const count = (letters: number) => {
    length += letters;
    if (length > maxContentLength) throw tooLong();
  };

  const expandBlock = (identifier: string, within: readonly string[]): string => {
    const block = blocks.get(identifier);
    if (!block || within.includes(identifier)) return '';
    if (within.length >= maxBlockDepth) throw tooDeep();
    if (++times > maxTimes) throw tooLong();
    count(block.content.length);
    shown.add(block);
    // Sanitised by itself, so that its unclosed tags end with it.
    const text = inBox(sanitiseHtml(expand(block.content, [...within, identifier])), block.css);
    count(text.length);
    return text;
  };

  return { html: expand(html, []), shown: [...shown] };
}

const isPublic = (path: string) => publicSettingPaths.some((one) => one === path);

function checked(html: string): string {
  if (html.length > maxContentLength) throw tooLong();
  return html;
}

const tooLong = () => invalid('Content must not be longer than %1 characters with its blocks.', [maxContentLength]);

/** A setting is inserted as text, wherever in the HTML it stands. */
const escaped = (text: string) => text.replaceAll(/[&<>"'{}]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** What a text is filled in with. */
export type Parts = Pick<Expansion, 'blocks' | 'settings'>;

/**
 * One text as it is published. Hostile styles take long: it runs in a thread of its own.
 *
 * Refused with 400: see `expandContent`, `sanitiseHtml`, `sanitiseCss`.
 */
export function renderText(input: Pick<ContentToRender, 'html' | 'css'>, parts: Parts): RenderedText {
  const { html, shown } = expandContent(input.html, { ...parts, inBox });
  const sheets = [input.css, ...shown.map(({ css }) => css)].map((css) => sanitiseCss(css, scopeOf(css)));
  return {
    html: cached(sanitiseHtml(inBox(html, input.css))),
    css: [...new Set(sheets)].filter((sheet) => sheet !== '').join('\n'),
  };
}

const inBox = (html: string, css: string): string =>
  css.trim() === '' ? html : `<div class="cms-scope ${scopeOf(css)}">${sanitiseHtml(html)}</div>`;

/**
 * The content can neither be placed nor painted outside this box. The content's own rules cannot change the box,
 * because they apply further inside. Content without styles cannot leave its place, so it needs no box.
 */
const cached = (html: string): string =>
  /class="cms-scope|style="/.test(html)
    ? `<div class="cms-content" style="position:relative;contain:layout paint">${html}</div>`
    : html;

/** The class is made from the styles, so the rules of one text never apply to another text beside it. */
const scopeOf = (css: string) => `cms-${createHash('sha256').update(css).digest('hex').slice(0, 12)}`;
