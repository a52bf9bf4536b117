import type { EntityManager } from '@mikro-orm/postgresql';
import { readBlocksWithin, type BlockWithin } from '../../db/content/read-blocks-within.ts';
import { directivesIn } from '../../domain/content/directives.ts';
import { invalid } from '../../domain/errors.ts';
import { meaningOf } from '../../domain/content/widgets.ts';

/** Blocks in blocks in blocks: nobody could say any more where a text comes from. */
export const maxBlockDepth = 5;
/** Different blocks in one text. */
const maxBlocks = 100;

export interface GatheredBlocks {
  byIdentifier: ReadonlyMap<string, BlockWithin>;
  /** Every identifier that was looked for, found or not. */
  asked: readonly string[];
}

/**
 * The blocks within a text and within each other, read level by level: one statement for each level.
 *
 * Refused with 400: a block that leads back to `self`; deeper than five; more than a hundred.
 */
export async function gatherBlocks(
  em: EntityManager,
  { html, storeId, self }: { html: string; storeId: number; self: string | undefined },
): Promise<GatheredBlocks> {
  const found = new Map<string, BlockWithin>();
  const asked = new Set<string>();
  let level = blocksIn(html);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxBlockDepth) throw tooDeep();
    if (self !== undefined && level.includes(self)) throw invalid('The block "%1" contains itself.', [self]);
    for (const identifier of level) asked.add(identifier);
    if (asked.size > maxBlocks) throw invalid('Content must not contain more than %1 blocks.', [maxBlocks]);
    const read = await readBlocksWithin(em, { storeId, identifiers: level });
    for (const block of read) found.set(block.identifier, block);
    const within = read.flatMap(({ content }) => blocksIn(content));
    level = [...new Set(within)].filter((identifier) => !asked.has(identifier));
  }
  return { byIdentifier: found, asked: [...asked] };
}

export const tooDeep = () => invalid('Blocks must not stand more than %1 deep in each other.', [maxBlockDepth]);

const blocksIn = (html: string): string[] => [
  ...new Set(
    directivesIn(html).flatMap((directive) => {
      const meaning = meaningOf(directive);
      return meaning.is === 'block' ? [meaning.identifier] : [];
    }),
  ),
];
