import type { IOptions } from 'sanitize-html';

/** Elements that show something and run nothing. Forms are removed: content must not ask for input. */
export const keptTags: readonly string[] = [
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
export const emptiedTags: string[] = [
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
export const keptAttributes: IOptions['allowedAttributes'] = {
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
