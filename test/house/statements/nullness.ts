import { isNode, nodesOf, wordOf, type Node, type Tree } from './node-tree.ts';

/**
 * Whether a column can be null: proven so, proven not, or only the author knows; then it is looked at as it is read.
 */
export type Nullness = 'never' | 'maybe' | 'unknown';

/** Table and column by their numbers. */
export type IsNotNull = (table: string, column: string) => boolean;

export interface Column {
  name: string;
  /** Its origin, by numbers; `0` where it is computed. */
  table: string;
  column: string;
  nullness: Nullness;
}

/**
 * The columns of a statement's rows, as PostgreSQL's parse has them: since 16 it says which outer joins empty a column.
 */
export const columnsOf = (query: Node, isNotNull: IsNotNull): Column[] =>
  targetsOf(query).map((target, at) => ({
    name: wordOf(target['resname']),
    table: wordOf(target['resorigtbl']),
    column: wordOf(target['resorigcol']),
    nullness: ofTarget([query], at, isNotNull),
  }));

const targetsOf = (query: Node) =>
  nodesOf(query['commandType'] === '1' ? query['targetList'] : query['returningList']).filter(
    ({ resjunk }) => resjunk !== 'true',
  );

/** `path` is the query with those around it, the innermost first. */
function ofTarget(path: readonly Node[], at: number, isNotNull: IsNotNull): Nullness {
  const [query] = path;
  if (!query) return 'unknown';
  if (isNode(query['setOperations'])) return ofSet(path, query['setOperations'], at, isNotNull);
  const target = targetsOf(query)[at];
  return isNode(target?.['expr']) ? ofExpression(path, target['expr'], isNotNull) : 'unknown';
}

/** Of a union: the worst of its parts. */
function ofSet(path: readonly Node[], part: Node, at: number, isNotNull: IsNotNull): Nullness {
  if (part.is === 'RANGETBLREF') return ofTable(path, Number(part['rtindex']), at + 1, isNotNull);
  const sides = [part['larg'], part['rarg']].filter(isNode).map((side) => ofSet(path, side, at, isNotNull));
  return worst(sides);
}

const worst = (all: readonly Nullness[]): Nullness =>
  all.includes('maybe') ? 'maybe' : all.includes('unknown') ? 'unknown' : 'never';
const best = (all: readonly Nullness[]): Nullness =>
  all.includes('never') ? 'never' : all.includes('unknown') ? 'unknown' : 'maybe';

const neverNull = new Set([
  'NULLTEST',
  'BOOLEANTEST',
  'DISTINCTEXPR',
  'ARRAYEXPR',
  'ROWEXPR',
  'SQLVALUEFUNCTION',
  'GROUPINGFUNC',
]);
const asTheirArguments = new Set(['BOOLEXPR', 'RELABELTYPE', 'COERCEVIAIO', 'ARRAYCOERCEEXPR']);
/** count(x), count(*), row_number() and their like. */
const counting = new Set(['2147', '2803', '3100', '3101', '3102']);

function ofExpression(path: readonly Node[], expression: Node, isNotNull: IsNotNull): Nullness {
  const of = (tree: Tree | undefined) => (isNode(tree) ? ofExpression(path, tree, isNotNull) : 'unknown');
  const ofAll = (tree: Tree | undefined) => nodesOf(tree).map(of);
  if (neverNull.has(expression.is)) return 'never';
  if (asTheirArguments.has(expression.is))
    return worst(isNode(expression['arg']) ? [of(expression['arg'])] : ofAll(expression['args']));
  switch (expression.is) {
    case 'VAR':
      return ofVariable(path, expression, isNotNull);
    case 'CONST':
      return expression['constisnull'] === 'true' ? 'maybe' : 'never';
    case 'COALESCEEXPR':
    case 'MINMAXEXPR':
      return best(ofAll(expression['args']));
    case 'CASEEXPR':
      return worst([of(expression['defresult']), ...nodesOf(expression['args']).map(({ result }) => of(result))]);
    case 'AGGREF':
    case 'WINDOWFUNC':
      return counting.has(wordOf(expression['aggfnoid'] ?? expression['winfnoid'])) ? 'never' : 'unknown';
    case 'SUBLINK':
      return ofSublink(path, expression, isNotNull);
    default:
      return 'unknown';
  }
}

/** `exists` and `array` have a value always; of another subquery only its author knows whether it finds a row. */
function ofSublink(path: readonly Node[], { subLinkType, subselect }: Node, isNotNull: IsNotNull): Nullness {
  if (subLinkType === '0' || subLinkType === '6') return 'never';
  if (!isNode(subselect) || subselect['hasAggs'] !== 'true' || subselect['groupClause'] !== null) return 'maybe';
  return ofTarget([subselect, ...path], 0, isNotNull);
}

function ofVariable(path: readonly Node[], variable: Node, isNotNull: IsNotNull): Nullness {
  const nulling = variable['varnullingrels'];
  if (Array.isArray(nulling) && nulling.length > 1) return 'maybe';
  return ofTable(
    path.slice(Number(variable['varlevelsup'])),
    Number(variable['varno']),
    Number(variable['varattno']),
    isNotNull,
  );
}

/** A column, counted from 1, of the n-th thing a query reads from. */
function ofTable(path: readonly Node[], table: number, column: number, isNotNull: IsNotNull): Nullness {
  const entry = nodesOf(path[0]?.['rtable'])[table - 1];
  if (!entry) return 'unknown';
  switch (wordOf(entry['rtekind'])) {
    case '0':
      return isNotNull(wordOf(entry['relid']), String(column)) ? 'never' : 'maybe';
    case '1':
      return isNode(entry['subquery']) ? ofTarget([entry['subquery'], ...path], column - 1, isNotNull) : 'unknown';
    case '2': {
      const alias = nodesOf(entry['joinaliasvars'])[column - 1];
      return alias ? ofExpression(path, alias, isNotNull) : 'unknown';
    }
    case '6': {
      const around = path.slice(Number(entry['ctelevelsup']));
      const cte = nodesOf(around[0]?.['cteList']).find(({ ctename }) => ctename === entry['ctename']);
      return isNode(cte?.['ctequery']) ? ofTarget([cte['ctequery'], ...around], column - 1, isNotNull) : 'unknown';
    }
    case '9': {
      // What rows are grouped by.
      const group = nodesOf(entry['groupexprs'])[column - 1];
      return group ? ofExpression(path, group, isNotNull) : 'unknown';
    }
    default:
      return 'unknown';
  }
}
