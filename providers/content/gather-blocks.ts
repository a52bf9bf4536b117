import type { EntityManager } from '@mikro-orm/postgresql';
import { readBlocksWithin, type BlockWithin } from '../../db/content/read-blocks-within.ts';
import { directivesIn, meaningOf } from '../../domain/content.ts';
import { invalid } from '../../domain/errors.ts';

/** Deeper nesting would hide where a text comes from. */
export const maxBlockDepth = 5;
/** The most different blocks in one text. */
const maxBlocks = 100;

export interface GatheredBlocks {
  byIdentifier: ReadonlyMap<string, BlockWithin>;
  /** Every identifier that was read, found or not. */
  asked: readonly string[];
}

/** Blocks by their identifiers, as one view shows them. */
export type ReadBlocks = (identifiers: readonly string[]) => Promise<BlockWithin[]>;

/**
 * Reads blocks for several views together: identifiers asked for one view are read for all. So text without
 * view-specific blocks costs one statement per level, however many views there are.
 */
export function blockReader(em: EntityManager, storeIds: readonly number[]): (storeId: number) => ReadBlocks {
  const known = new Map<string, BlockWithin[]>();
  const read = async (identifiers: readonly string[]) => {
    const unknown = identifiers.filter((identifier) => !known.has(identifier));
    if (unknown.length === 0) return;
    for (const identifier of unknown) known.set(identifier, []);
    for (const block of await readBlocksWithin(em, { identifiers: unknown, storeIds: [...new Set([0, ...storeIds])] }))
      known.get(block.identifier)?.push(block);
  };
  return (storeId) => async (identifiers) => {
    await read(identifiers);
    return identifiers.flatMap((identifier) => {
      const block = ofView(known.get(identifier) ?? [], storeId);
      return block?.liveview === true ? [block] : [];
    });
  };
}

/** The view's own block wins over that of all views, even where it is empty. */
const ofView = (blocks: readonly BlockWithin[], storeId: number): BlockWithin | undefined =>
  blocks.find((block) => block.storeId === storeId) ?? blocks.find((block) => block.storeId === 0);

/**
 * Reads the blocks within a text and within each other, level by level.
 *
 * Refused with 400: a block that leads back to `self`; deeper than five; more than a hundred.
 */
export async function gatherBlocks(
  readBlocks: ReadBlocks,
  { html, self }: { html: string; self: string | undefined },
): Promise<GatheredBlocks> {
  const found = new Map<string, BlockWithin>();
  const request = new Set<string>();
  let level = blocksIn(html);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxBlockDepth) throw tooDeep();
    if (self !== undefined && level.includes(self)) throw invalid('The block "%1" contains itself.', [self]);
    for (const identifier of level) request.add(identifier);
    if (request.size > maxBlocks) throw invalid('Content must not contain more than %1 blocks.', [maxBlocks]);
    const read = await readBlocks(level);
    for (const block of read) found.set(block.identifier, block);
    const within = read.flatMap(({ content }) => blocksIn(content));
    level = [...new Set(within)].filter((identifier) => !request.has(identifier));
  }
  return { byIdentifier: found, asked: [...request] };
}

export const tooDeep = () => invalid('Blocks must not be nested more than %1 deep.', [maxBlockDepth]);

const blocksIn = (html: string): string[] => [
  ...new Set(
    directivesIn(html).flatMap((directive) => {
      const meaning = meaningOf(directive);
      return meaning.is === 'block' ? [meaning.identifier] : [];
    }),
  ),
];
