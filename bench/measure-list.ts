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
export async function measureList({ em, api, token, rounds }: Measuring, { path, find, searchCriteria }: ListAsked) {
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
