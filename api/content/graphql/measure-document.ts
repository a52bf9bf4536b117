import {
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** The size of a document's request, whatever its form. */
export interface Measures {
  definitions: number;
  fields: number;
  aliases: number;
  directives: number;
  /** Nesting of fields. Introspection is counted separately, because types nest deeper than content does. */
  depth: number;
  introspectionDepth: number;
  /** The cost of the most expensive operation; fragments and lists count as often as they apply. */
  cost: number;
  /** A fragment contains itself. */
  hasCircle: boolean;
}

/** Each is one statement. */
const contentCost = 10;
const introspectionCost = 100;
/** The assumed length of a list without a limit in the document. */
const longestList = 50;
const attributesOfOne = 10;
const platformQueries: readonly string[] = ['cmsPage', 'cmsBlocks', 'storeConfig'];

/** Measures a document's request, in time proportional to its length: each fragment is visited once. */
export function measureDocument(document: DocumentNode): Measures {
  const counted = { fields: 0, aliases: 0, directives: 0 };
  visit(document, {
    Field: ({ alias }) => {
      counted.fields++;
      if (alias) counted.aliases++;
    },
    Directive: () => {
      counted.directives++;
    },
  });
  const weigh = createScales(document);
  const operations = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [weigh.weightOf(one.selectionSet)] : [],
  );
  const most = (of: (weight: Weight) => number) => Math.max(0, ...operations.map(of));
  return {
    definitions: document.definitions.length,
    ...counted,
    depth: most(({ depth }) => depth),
    introspectionDepth: most(({ introspectionDepth }) => introspectionDepth),
    cost: most(({ cost }) => cost),
    hasCircle: weigh.hasCircle(),
  };
}

interface Weight {
  depth: number;
  introspectionDepth: number;
  cost: number;
}

const nothing: Weight = { depth: 0, introspectionDepth: 0, cost: 0 };

function createScales(document: DocumentNode) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const known = new Map<string, Weight>();
  const open = new Set<string>();
  let wentInCircle = false;

  const weightOf = (set: SelectionSetNode | undefined): Weight =>
    (set?.selections ?? []).map(weightOfOne).reduce(together, nothing);

  const weightOfOne = (selection: SelectionSetNode['selections'][number]): Weight => {
    if (selection.kind === Kind.FIELD) return around(selection, weightOf(selection.selectionSet));
    if (selection.kind === Kind.INLINE_FRAGMENT) return weightOf(selection.selectionSet);
    return weightOfFragment(selection.name.value);
  };

  const weightOfFragment = (name: string): Weight => {
    const seen = known.get(name);
    if (seen) return seen;
    if (open.has(name)) {
      wentInCircle = true;
      return nothing;
    }
    open.add(name);
    const weight = weightOf(fragments.get(name)?.selectionSet);
    open.delete(name);
    known.set(name, weight);
    return weight;
  };
  // Unused fragments may contain a circle too.
  for (const name of fragments.keys()) weightOfFragment(name);
  return { weightOf, hasCircle: () => wentInCircle };
}

const together = (one: Weight, other: Weight): Weight => ({
  depth: Math.max(one.depth, other.depth),
  introspectionDepth: Math.max(one.introspectionDepth, other.introspectionDepth),
  cost: one.cost + other.cost,
});

function around(field: FieldNode, within: Weight): Weight {
  const name = field.name.value;
  if (name.startsWith('__'))
    return { depth: 1, introspectionDepth: 1 + deepest(within), cost: costOf(name) + within.cost };
  return {
    depth: 1 + within.depth,
    introspectionDepth: within.introspectionDepth,
    cost: costOf(name) + timesOf(field) * within.cost,
  };
}

const deepest = ({ depth, introspectionDepth }: Weight) => Math.max(depth, introspectionDepth);

function costOf(name: string): number {
  if (name.startsWith('vendor') || platformQueries.includes(name)) return contentCost;
  return name === '__schema' || name === '__type' ? introspectionCost : 1;
}

function timesOf({ name, arguments: given = [] }: FieldNode): number {
  if (name.value.endsWith('Attribute')) return attributesOfOne;
  if (name.value !== 'vendorCmsBlocks' && name.value !== 'cmsBlocks') return 1;
  const list = given.find((one) => one.name.value === 'identifiers')?.value;
  if (list?.kind === Kind.STRING) return 1;
  return list?.kind === Kind.LIST ? list.values.length : longestList;
}
