import { lexer, walk, type CssNode, type Declaration } from 'css-tree';
import { keptFunctions, refusedProperties, refusedValues } from './css-words.ts';
import { isKeptMedia } from './kept-urls.ts';

/** Whether the declaration is valid CSS, fetches only pictures, and leaves the content in its place. */
export function isKeptDeclaration({ property: given, value }: Declaration): boolean {
  const property = given.toLowerCase();
  if (refusedProperties.has(property) || !isPlain(value, property)) return false;
  if (property.startsWith('--')) return true;
  // Looked up before it is matched: the matcher makes an error for each that it does not know.
  if (!isKnown(property)) return false;
  // A variable could hold any value, so it is refused where a value may be refused.
  if (hasVariable(value)) return refusedValues[property] === undefined;
  return lexer.matchProperty(property, value).error === null;
}

function isPlain(value: CssNode, property: string): boolean {
  let isKept = true;
  walk(value, (node) => {
    if (!isKeptPart(node, property)) isKept = false;
  });
  return isKept;
}

function isKeptPart(node: CssNode, property: string): boolean {
  if (node.type === 'Raw') return false;
  if (node.type === 'Url') return isKeptMedia(node.value);
  if (node.type === 'Function') return keptFunctions.has(node.name.toLowerCase());
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
