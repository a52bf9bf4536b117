import type { BlockWithin } from '../../db/content/read-blocks-within.ts';
import { fillIn } from '../../domain/content/directives.ts';
import { addressIn, publicSettingPaths, type PublicSettings } from '../../domain/content/public-settings.ts';
import { meaningOf, type Meaning } from '../../domain/content/widgets.ts';
import { invalid } from '../../domain/errors.ts';
import { maxBlockDepth, tooDeep } from './gather-blocks.ts';
import { sanitiseHtml } from './sanitise-html.ts';

/** The limit after everything is filled in. An editor's page is a hundredth of it. */
export const maxContentLength = 1_048_576;
/** How often blocks may occur in one text, in total: empty blocks cost time too. */
const maxTimes = 1_000;

export interface Expansion {
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
export function expandContent(
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
