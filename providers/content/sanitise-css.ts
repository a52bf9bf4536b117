import { generate, List, parse, walk, type Atrule, type Block, type CssNode, type Rule } from 'css-tree';
import { invalid } from '../../domain/errors.ts';
import { keptAtRules } from './css-words.ts';
import { isKeptDeclaration } from './keep-declaration.ts';
import { createKeyframeNames, type KeyframeNames } from './keyframe-names.ts';
import { scopeSelectors } from './scope-css.ts';

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
  const sheet = read(css, 'stylesheet');
  if (sheet?.type !== 'StyleSheet') return '';
  const names = createKeyframeNames(sheet, scope);
  return written(keepRules(sheet.children, { scope, names }));
}

/** Sanitises a `style` attribute by the same rules. */
export function sanitiseStyleAttribute(style: string): string {
  const list = read(style, 'declarationList');
  return list?.type === 'DeclarationList' ? written(keepDeclarations(list.children)) : '';
}

/** Undefined where it cannot be parsed. */
function read(css: string, context: 'stylesheet' | 'declarationList'): CssNode | undefined {
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

function keepAtRule({ name: given, prelude, block }: Atrule, within: Within): Atrule[] {
  const name = given.toLowerCase();
  if (!keptAtRules.has(name) || !block || !prelude || !isUnderstood(prelude)) return [];
  if (name !== 'keyframes')
    return [{ type: 'Atrule', name, prelude, block: blockOf(keepRules(block.children, within)) }];
  within.names.rename(prelude);
  const steps = block.children.toArray().flatMap((step) => (step.type === 'Rule' ? keepStep(step) : []));
  return [{ type: 'Atrule', name, prelude, block: blockOf(steps) }];
}

/** `from`, `to` and percentages select moments, not elements, so they get no scope. */
const keepStep = ({ prelude, block }: Rule): Rule[] =>
  isUnderstood(prelude) ? [{ type: 'Rule', prelude, block: blockOf(keepDeclarations(block.children)) }] : [];

/** A nested rule could select elements outside the scope, so only declarations are kept. */
const keepDeclarations = (nodes: List<CssNode>): CssNode[] =>
  nodes.toArray().filter((node) => node.type === 'Declaration' && isKeptDeclaration(node));

const blockOf = (nodes: CssNode[]): Block => ({ type: 'Block', children: listOf(nodes) });

const listOf = (nodes: CssNode[]) => new List<CssNode>().fromArray(nodes);

function isUnderstood(tree: CssNode): boolean {
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
