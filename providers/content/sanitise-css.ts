import {
  generate,
  lexer,
  List,
  parse,
  walk,
  type Atrule,
  type Block,
  type CssNode,
  type Declaration,
  type Rule,
  type Selector,
  type SelectorList,
} from 'css-tree';
import { invalid } from '../../domain/errors.ts';

/**
 * The CSS that the shop's content may use; anything not listed here is removed.
 *
 * Values are checked against css-tree's own dictionary, so only functions and positions need a list.
 */

/**
 * At-rules whose rules are kept. `@import`, `@font-face`, `@charset` and `@namespace` are removed: they fetch files
 * or affect the whole page.
 */
const storedAtRules: ReadonlySet<string> = new Set(['media', 'supports', 'container', 'keyframes']);

/** Functions in values. `expression`, `attr`, `element`, `image-set`, `src` and `paint` are removed. */
const storedFunctions: ReadonlySet<string> = new Set([
  ...['calc', 'min', 'max', 'clamp', 'var', 'minmax', 'repeat', 'fit-content', 'counter', 'counters', 'env'],
  ...['rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix', 'light-dark'],
  ...['linear-gradient', 'radial-gradient', 'conic-gradient'],
  ...['repeating-linear-gradient', 'repeating-radial-gradient', 'repeating-conic-gradient'],
  ...['translate', 'translatex', 'translatey', 'translatez', 'translate3d', 'scale', 'scalex', 'scaley', 'scalez'],
  ...['scale3d', 'rotate', 'rotatex', 'rotatey', 'rotatez', 'rotate3d', 'skew', 'skewx', 'skewy', 'matrix'],
  ...['matrix3d', 'perspective', 'cubic-bezier', 'steps', 'linear', 'blur', 'brightness', 'contrast', 'drop-shadow'],
  ...['grayscale', 'hue-rotate', 'invert', 'opacity', 'saturate', 'sepia', 'circle', 'ellipse', 'inset', 'polygon'],
  ...['path', 'rect', 'xywh'],
]);

/** Properties that run code in old browsers, or that name a file with code. */
const refusedProperties: ReadonlySet<string> = new Set(['behavior', '-ms-behavior', '-moz-binding', 'src']);

/**
 * Content stays where the register puts it: it must not cover the register's own buttons. Other ways, such as
 * `absolute` or a negative margin, end at the edge of its box (`render-content.ts`).
 */
const refusedValues: Readonly<Record<string, ReadonlySet<string>>> = {
  position: new Set(['fixed', 'sticky', '-webkit-sticky']),
};

/** Selectors of the whole page. In content they mean its own box. */
const pageSelectors: ReadonlySet<string> = new Set(['html', 'body', ':root']);

/** Characters a browser skips while it reads a scheme. */
// oxlint-disable-next-line no-control-regex
const skipped = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028\u2029\ufeff]/g;

const scheme = /^([a-z][a-z\d+.-]*):/i;
const rasterImage = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z\d+/=]*$/i;

/** The permitted targets of links. */
export const isStoredLink = (url: string): boolean => hasScheme(url, ['http', 'https', 'mailto', 'tel']);

/** The permitted sources of pictures and films: the web, the shop itself, or a raster image within the text. */
export const isStoredMedia = (url: string): boolean =>
  hasScheme(url, ['http', 'https']) || rasterImage.test(url.trim());

/** A URL without a scheme is the shop's own; `//host` and `/\host` lead to another host. */
function hasScheme(url: string, schemes: readonly string[]): boolean {
  const read = url.replace(skipped, '');
  if (/^[\\/]{2}/.test(read)) return false;
  const found = scheme.exec(read);
  // Some browsers treat any text with a colon before the first slash as a scheme.
  if (!found) return !/^[^/?#]*:/.test(read);
  return schemes.includes(found[1]?.toLowerCase() ?? '');
}

/** Whether the declaration is valid CSS, fetches only pictures, and leaves the content in its place. */
function isStoredDeclaration({ property: input, value }: Declaration): boolean {
  const property = input.toLowerCase();
  if (refusedProperties.has(property) || !isPlain(value, property)) return false;
  if (property.startsWith('--')) return true;
  // Looked up before it is matched: the matcher makes an error for each that it does not know.
  if (!isKnown(property)) return false;
  // A variable could hold any value, so it is refused where a value may be refused.
  if (hasVariable(value)) return refusedValues[property] === undefined;
  return lexer.matchProperty(property, value).error === null;
}

function isPlain(value: CssNode, property: string): boolean {
  let isStored = true;
  walk(value, (node) => {
    if (!isStoredPart(node, property)) isStored = false;
  });
  return isStored;
}

function isStoredPart(node: CssNode, property: string): boolean {
  if (node.type === 'Raw') return false;
  if (node.type === 'Url') return isStoredMedia(node.value);
  if (node.type === 'Function') return storedFunctions.has(node.name.toLowerCase());
  // An escape could hide a refused word.
  if (node.type === 'Identifier') return !node.name.includes('\\') && !isRefused(property, node.name);
  return true;
}

const isRefused = (property: string, word: string) => refusedValues[property]?.has(word.toLowerCase()) === true;

function hasVariable(value: CssNode): boolean {
  let has = false;
  walk(value, (node) => {
    if (node.type === 'Function' && node.name.toLowerCase() === 'var') has = true;
  });
  return has;
}

const isKnown = (property: string) => lexer.getProperty(property) !== null;

/** The animations of a stylesheet. Animation names apply to the whole page, so each gets the scope as a prefix. */
interface KeyframeNames {
  /** Renames definitions and uses. */
  rename(tree: CssNode): void;
}

function createKeyframeNames(sheet: CssNode, scope: string): KeyframeNames {
  const defined = new Set<string>();
  walk(sheet, (node) => {
    if (node.type !== 'Atrule' || node.name.toLowerCase() !== 'keyframes' || !node.prelude) return;
    walk(node.prelude, (part) => {
      if (part.type === 'Identifier') defined.add(part.name);
    });
  });
  const rename = (tree: CssNode) =>
    walk(tree, (node) => {
      if (node.type === 'Identifier' && defined.has(node.name)) node.name = `${scope}-${node.name}`;
    });
  return {
    rename(tree) {
      if (tree.type === 'AtrulePrelude') return rename(tree);
      walk(tree, (node) => {
        if (node.type === 'Declaration' && /^(?:-webkit-)?animation(?:-name)?$/i.test(node.property))
          rename(node.value);
      });
    },
  };
}

const prefix = 'cms-';

/**
 * Prefixes an id of the content, so that it never equals an id that the page or its scripts use. A repeat changes
 * nothing.
 */
export const ownId = (id: string): string => (id.startsWith(prefix) ? id : prefix + id);

/**
 * Scopes the selectors of a rule to `.scope`; undefined where none remains.
 *
 * `html`, `body` and `:root` mean the box itself. A selector that begins with a combinator or with `&` could match
 * neighbours of the box, so it is removed.
 */
function scopeSelectors(input: SelectorList, scope: string): SelectorList | undefined {
  const scoped = input.children.toArray().flatMap((one) => (one.type === 'Selector' ? scopeSelector(one, scope) : []));
  return scoped.length === 0 ? undefined : { type: 'SelectorList', children: new List<CssNode>().fromArray(scoped) };
}

function scopeSelector(selector: Selector, scope: string): Selector[] {
  if (!isUnderstood(selector)) return [];
  walk(selector, (node) => {
    if (node.type === 'IdSelector') node.name = ownId(node.name);
  });
  const parts = selector.children.toArray();
  const [first, second] = parts;
  if (!first || first.type === 'Combinator') return [];
  const rest = isPage(first) && leadsInside(second) ? parts.slice(1) : [inside, ...parts];
  return [
    { type: 'Selector', children: new List<CssNode>().fromArray([{ type: 'ClassSelector', name: scope }, ...rest]) },
  ];
}

const inside: CssNode = { type: 'Combinator', name: ' ' };

function isUnderstood(selector: Selector): boolean {
  let isPlain = true;
  walk(selector, (node) => {
    if (node.type === 'Raw' || node.type === 'NestingSelector') isPlain = false;
  });
  return isPlain;
}

const isPage = (node: CssNode) =>
  (node.type === 'TypeSelector' && pageSelectors.has(node.name.toLowerCase())) ||
  (node.type === 'PseudoClassSelector' && !node.children && pageSelectors.has(`:${node.name.toLowerCase()}`));

/** `body + p` would match the box's neighbour. */
const leadsInside = (next: CssNode | undefined) =>
  next === undefined || (next.type === 'Combinator' && (next.name === ' ' || next.name === '>'));

/** A page's stylesheet is usually a tenth of it. */
export const maxCssLength = 262_144;
/** Nested brackets: the parser recurses for each level. */
const maxNesting = 50;
/** Twice what a stylesheet of that length has. What the parser does not understand costs it the length of the whole. */
const maxParts = 20_000;

/**
 * Sanitises a stylesheet: every rule applies only within `.scope`, every declaration is valid CSS, and only pictures
 * are fetched. Anything that cannot be parsed is removed, not repaired.
 *
 * Refused with 400: longer than 256 KB, nested more than fifty deep, or of more than 20 000 rules and declarations.
 */
export function sanitiseCss(css: string, scope: string): string {
  const sheet = readSheet(css, 'stylesheet');
  if (sheet?.type !== 'StyleSheet') return '';
  const names = createKeyframeNames(sheet, scope);
  return written(keepRules(sheet.children, { scope, names }));
}

/** Sanitises a `style` attribute by the same rules. */
export function sanitiseStyleAttribute(style: string): string {
  const list = readSheet(style, 'declarationList');
  return list?.type === 'DeclarationList' ? written(keepDeclarations(list.children)) : '';
}

/** Undefined where it cannot be parsed. */
function readSheet(css: string, context: 'stylesheet' | 'declarationList'): CssNode | undefined {
  checkSize(css);
  try {
    return parse(css, { context, parseCustomProperty: true });
  } catch {
    return undefined;
  }
}

function checkSize(css: string): void {
  if (css.length > maxCssLength) throw invalid('The styles must not be longer than %1 characters.', [maxCssLength]);
  let [depth, parts] = [0, 0];
  for (const letter of css) {
    if ((letter === ';' || letter === '}') && ++parts > maxParts)
      throw invalid('The styles must not have more than %1 rules and declarations.', [maxParts]);
    if (letter === '(' || letter === '{' || letter === '[') depth++;
    else if (letter === ')' || letter === '}' || letter === ']') depth = Math.max(0, depth - 1);
    if (depth > maxNesting) throw invalid('The styles must not be nested more than %1 deep.', [maxNesting]);
  }
}

interface Within {
  scope: string;
  names: KeyframeNames;
}

const keepRules = (nodes: List<CssNode>, within: Within): CssNode[] =>
  nodes.toArray().flatMap((node): CssNode[] => {
    if (node.type === 'Rule') return keepRule(node, within);
    return node.type === 'Atrule' ? keepAtRule(node, within) : [];
  });

function keepRule(rule: Rule, { scope, names }: Within): Rule[] {
  const prelude = rule.prelude.type === 'SelectorList' ? scopeSelectors(rule.prelude, scope) : undefined;
  const block = blockOf(keepDeclarations(rule.block.children));
  names.rename(block);
  return prelude === undefined || block.children.isEmpty ? [] : [{ type: 'Rule', prelude, block }];
}

function keepAtRule({ name: input, prelude, block }: Atrule, within: Within): Atrule[] {
  const name = input.toLowerCase();
  if (!storedAtRules.has(name) || !block || !prelude || !sanitiseCssIsUnderstood(prelude)) return [];
  if (name !== 'keyframes')
    return [{ type: 'Atrule', name, prelude, block: blockOf(keepRules(block.children, within)) }];
  within.names.rename(prelude);
  const steps = block.children.toArray().flatMap((step) => (step.type === 'Rule' ? keepStep(step) : []));
  return [{ type: 'Atrule', name, prelude, block: blockOf(steps) }];
}

/** `from`, `to` and percentages select moments, not elements, so they get no scope. */
const keepStep = ({ prelude, block }: Rule): Rule[] =>
  sanitiseCssIsUnderstood(prelude) ? [{ type: 'Rule', prelude, block: blockOf(keepDeclarations(block.children)) }] : [];

/** A nested rule could select elements outside the scope, so only declarations are kept. */
const keepDeclarations = (nodes: List<CssNode>): CssNode[] =>
  nodes.toArray().filter((node) => node.type === 'Declaration' && isStoredDeclaration(node));

const blockOf = (nodes: CssNode[]): Block => ({ type: 'Block', children: listOf(nodes) });

const listOf = (nodes: CssNode[]) => new List<CssNode>().fromArray(nodes);

function sanitiseCssIsUnderstood(tree: CssNode): boolean {
  let isPlain = true;
  walk(tree, (node) => {
    if (node.type === 'Raw' || node.type === 'Url') isPlain = false;
  });
  return isPlain;
}

/** Declarations, separated by semicolons. The text cannot end the `<style>` element it is put into. */
const written = (nodes: CssNode[]) => {
  const parts = nodes.map((node) => generate(node));
  return parts.join(nodes[0]?.type === 'Declaration' ? ';' : '').replaceAll('</', '<\\/');
};
