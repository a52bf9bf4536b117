import Handlebars from 'handlebars';

/**
 * The dialect of a shop's own receipt template: values, always escaped, `if`, `unless`, `each`, and our own parts by
 * name. It cannot call code, read inherited members of objects, or write an active tag.
 */
const blocks = ['if', 'unless', 'each'];
const parts = ['shop-info', 'items', 'sums', 'layaway', 'payments', 'fiscal', 'codes'];
const marks = ['index', 'first', 'last', 'root'];
const tags =
  /^(?:article|section|header|footer|div|p|span|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th|strong|em|b|i|s|small|br|hr|bdi|address)$/;
const attributes = /^(?:\s+(?:class|dir|lang|role|aria-label|colspan|rowspan)="[^"<>{}]*")*\s*\/?$/;
const longest = 50_000;
const deepest = 20;
/** Loops may nest twice, for the options of the lines: no list of a receipt is deeper. */
const mostLoops = 2;
/**
 * A receipt of a thousand lines is written while every register waits: so little for each line, and each part so often.
 */
const mostPerRow = 100;
const longestRow = 2_000;
const mostOfAPart = 2;

/** The position of a statement: how many blocks and loops surround it. */
interface Place {
  depth: number;
  loops: number;
}

/** What is wrong with a template, as half a sentence; undefined: nothing. */
export function templateFault(text: string): string | undefined {
  if (text.length > longest) return `it is longer than ${longest} characters`;
  try {
    const program = Handlebars.parse(text);
    return programFault(program, { depth: 0, loops: 0 }) ?? weightFault(program);
  } catch (error) {
    return `it cannot be read (${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'unknown'})`;
  }
}

function programFault({ body, blockParams }: hbs.AST.Program, place: Place): string | undefined {
  if (place.depth > deepest) return 'its blocks are too deep';
  if (blockParams && blockParams.length > 0) return 'it names block parameters';
  for (const statement of body) {
    const fault = statementFault(statement, place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function statementFault(statement: hbs.AST.Statement, place: Place): string | undefined {
  if (isContent(statement)) return contentFault(statement.value);
  if (isComment(statement)) return undefined;
  if (isPartial(statement)) return partialFault(statement, place);
  if (isBlock(statement)) return blockFault(statement, place);
  if (!isMustache(statement)) return `it has a ${statement.type}, which the dialect does not have`;
  if (!statement.escaped) return 'it has a value that is not escaped';
  if (statement.params.length > 0 || statement.hash) return 'it calls a helper';
  return pathFault(statement.path);
}

function blockFault({ path, params, hash, program, inverse }: hbs.AST.BlockStatement, { depth, loops }: Place) {
  if (path.type !== 'PathExpression' || !blocks.includes(String(Reflect.get(path, 'original'))))
    return 'it has a block that is not if, unless or each';
  if (hash || params.length !== 1) return 'it has a block with something else than one value';
  const [value] = params;
  const isLoop = Reflect.get(path, 'original') === 'each';
  return (
    (value && pathFault(value)) ??
    (isLoop && value ? loopFault(value, loops) : undefined) ??
    (program && programFault(program, { depth: depth + 1, loops: isLoop ? loops + 1 : loops })) ??
    (inverse && programFault(inverse, { depth: depth + 1, loops }))
  );
}

/** An inner loop must run over the row's own list; over all rows again it would write every row for each row. */
function loopFault(list: hbs.AST.Node, loops: number): string | undefined {
  if (loops >= mostLoops) return `it has more than ${mostLoops} each within one another`;
  const { data, depth } = list as hbs.AST.PathExpression;
  return loops > 0 && (data || depth > 0) ? 'it has an each within an each over something outside it' : undefined;
}

function partialFault({ name, params, hash }: hbs.AST.PartialStatement, { loops }: Place) {
  if (loops > 0) return 'it has a part within an each';
  const called = name.type === 'PathExpression' ? String(Reflect.get(name, 'original')) : '';
  if (!parts.includes(called) || params.length > 0 || hash) return `it has a part other than ${parts.join(', ')}`;
  return undefined;
}

function pathFault(path: hbs.AST.Node): string | undefined {
  if (path.type !== 'PathExpression') return 'it has a value that is not a name';
  const { parts: names, data } = path as hbs.AST.PathExpression;
  if (data && !marks.includes(names[0] ?? '')) return 'it has a mark that is not @index, @first, @last or @root';
  const odd = names.find((name) => !/^[a-zA-Z]\w*$/.test(name) || /^(?:constructor|prototype)$/.test(name));
  return odd === undefined ? undefined : `it names "${odd.slice(0, 40)}"`;
}

/** A tag may not be split by a value, so that a value is never within a tag. */
function contentFault(text: string): string | undefined {
  for (const [whole, name = '', rest = ''] of text.matchAll(/<\/?([a-z0-9]*)([^<>]*)>?/gi)) {
    if (!whole.endsWith('>')) return 'it has a value within a tag, or a tag that does not end';
    if (!tags.test(name.toLowerCase())) return `it has the tag <${name.slice(0, 20)}>`;
    if (!attributes.test(rest)) return `it has something else than class, dir, lang, role or a label in <${name}>`;
  }
  return text.replaceAll(/<[^<>]*>/g, '').includes('>') ? 'it has a value within a tag' : undefined;
}

/** What the loops of a template write for each of their rows, and how often it asks for our parts. */
interface Weight {
  perRow: number;
  letters: number;
  parts: Map<string, number>;
}

function weightFault(program: hbs.AST.Program): string | undefined {
  const weight: Weight = { perRow: 0, letters: 0, parts: new Map() };
  weigh(program, { weight, isInLoop: false });
  if (weight.perRow > mostPerRow) return `its each write more than ${mostPerRow} things for a row, all together`;
  if (weight.letters > longestRow) return `its each have more than ${longestRow} letters for a row, all together`;
  const [often] = [...weight.parts].find(([, count]) => count > mostOfAPart) ?? [];
  return often === undefined ? undefined : `it has the part ${often} more than ${mostOfAPart} times`;
}

function weigh({ body }: hbs.AST.Program, { weight, isInLoop }: { weight: Weight; isInLoop: boolean }): void {
  for (const statement of body) {
    if (isInLoop) weight.perRow += 1;
    if (isInLoop && isContent(statement)) weight.letters += statement.value.length;
    if (isPartial(statement)) {
      const name = String(Reflect.get(statement.name, 'original'));
      weight.parts.set(name, (weight.parts.get(name) ?? 0) + 1);
    }
    if (!isBlock(statement)) continue;
    const isLoop = Reflect.get(statement.path, 'original') === 'each';
    if (statement.program) weigh(statement.program, { weight, isInLoop: isInLoop || isLoop });
    if (statement.inverse) weigh(statement.inverse, { weight, isInLoop });
  }
}

const isContent = (node: hbs.AST.Statement): node is hbs.AST.ContentStatement => node.type === 'ContentStatement';
const isComment = (node: hbs.AST.Statement): node is hbs.AST.CommentStatement => node.type === 'CommentStatement';
const isPartial = (node: hbs.AST.Statement): node is hbs.AST.PartialStatement => node.type === 'PartialStatement';
const isBlock = (node: hbs.AST.Statement): node is hbs.AST.BlockStatement => node.type === 'BlockStatement';
const isMustache = (node: hbs.AST.Statement): node is hbs.AST.MustacheStatement => node.type === 'MustacheStatement';
