import type { EntityManager } from '@mikro-orm/postgresql';
import qs from 'qs';
import { readSearchCriteria } from '../api/wire/read-search-criteria.ts';
import type { SearchCriteria } from '../domain/platform/search-criteria.ts';
import type { BenchProcess } from './processes.ts';
import { send } from './send.ts';
import { countBlocks } from './support/count-blocks.ts';
import { median } from './support/statistics.ts';

export interface ListMeasured {
  name: string;
  /** At the first size and at the second: median of the request in ms, blocks that the database read, rows found. */
  ms: [number, number];
  blocks: [number, number];
  matches: [number, number];
}

export interface ListAsked {
  path: string;
  /** The query of that path's route. */
  find: (em: EntityManager, criteria: SearchCriteria) => Promise<{ totalCount: number }>;
  searchCriteria: object;
}

interface Measuring {
  em: EntityManager;
  api: BenchProcess;
  token: string;
  rounds: number;
}

const requestsEachRound = 5;

/** A page of a list, as a client asks for it: the first request warms up. */
async function measureList({ em, api, token, rounds }: Measuring, { path, find, searchCriteria }: ListAsked) {
  const blocks = await countBlocks(em, (counting) => find(counting, readSearchCriteria(searchCriteria)));
  const whole = `${path}?${qs.stringify({ searchCriteria })}`;
  const times: number[] = [];
  for (let n = 0; n < rounds * requestsEachRound + 1; n++) {
    const start = performance.now();
    await send(api.url, token, { method: 'GET', path: whole });
    if (n > 0) times.push(performance.now() - start);
  }
  return { ms: median(times), blocks: blocks.blocks, matches: blocks.result.totalCount };
}

interface Growing {
  grow: (from: number, to: number) => Promise<void>;
  /** A page has one name at both sizes. */
  pages: (size: number) => readonly { name: string; asked: ListAsked }[];
}

/** Lists at two sizes: each page is measured when the rows of its size are there. */
export async function measureGrowing(
  wish: Measuring & { sizes: readonly [number, number] },
  { grow, pages }: Growing,
): Promise<ListMeasured[]> {
  const measured = new Map<string, ListMeasured>();
  for (const [at, size] of wish.sizes.entries()) {
    await grow(at === 0 ? 0 : wish.sizes[0], size);
    for (const { name, asked } of pages(size)) {
      const { ms, blocks, matches } = await measureList(wish, asked);
      const one = measured.get(name) ?? { name, ms: [0, 0], blocks: [0, 0], matches: [0, 0] };
      [one.ms[at], one.blocks[at], one.matches[at]] = [ms, blocks, matches];
      measured.set(name, one);
    }
  }
  return [...measured.values()];
}
