import type { EntityManager } from '@mikro-orm/postgresql';
import { findHeldCarts } from '../db/held-carts/held-cart.repository.ts';
import { openReturns } from '../db/returns/return.repository.ts';
import type { SearchCriteria } from '../domain/platform/search-criteria.ts';
import { catalogLists } from './catalog-lists.ts';
import { growShop, heldAt } from './grow-shop.ts';
import type { ListKind } from './list-kind.ts';
import { measureGrowing, type ListAsked, type ListMeasured } from './measure-list.ts';
import type { ListsWish } from './measure-lists.ts';
import { pageCriteria, type Filter, type PageWish } from './page-criteria.ts';
import { registerLists } from './register-lists.ts';

const kinds = [...catalogLists, ...registerLists];

/** A far page; with fewer rows there is none. */
const farPage = 1_000;
const rowsOfFarPage = farPage * 20;

export interface ShopPage {
  name: string;
  asked: ListAsked;
  /** What it finds grows with the shop, and is counted one by one, or passed over to reach a far page. */
  growsWithShop: boolean;
}

/** The lists of a shop at two sizes: the cost of a page of 20 and its exact total. */
export const measureShopLists = (wish: ListsWish): Promise<ListMeasured[]> =>
  measureGrowing(wish, {
    async grow(from, to) {
      wish.say(`Writing ${to} rows of each list …`);
      await growShop(wish, from, to);
    },
    pages: (size) => shopListPages(size, wish.sizes[0] >= rowsOfFarPage),
  });

/** Every page whose time must not grow with the shop (docs/inside/speed.md), also the far ones where there are such. */
export const shopListPages = (size: number, isFar: boolean): ShopPage[] => [
  ...kinds.flatMap((kind) => pagesOf(kind, size, isFar)),
  ...registerPages,
];

/** Each filter alone and newest first, each sort, and late pages of what is long. */
function pagesOf(kind: ListKind, size: number, isFar: boolean): ShopPage[] {
  const page = (what: string, wish: PageWish, growsWithShop = false): ShopPage => ({
    name: `${kind.name}: ${what}`,
    asked: { path: kind.path, find: kind.find, searchCriteria: pageCriteria(wish) },
    growsWithShop,
  });
  const far = (what: string, wish: PageWish) =>
    isFar ? [page(`${what}, page ${farPage}`, { ...wish, currentPage: farPage }, true)] : [];
  const byFilter = (filter: Filter, grows: boolean) => {
    const [alone, newest] = [{ filter }, { filter, sort: [kind.moment, 'DESC'] as const }];
    const what = wordsOf(filter);
    return [page(what, alone, grows), page(`${what}, newest first`, newest, grows)];
  };
  const farByFilter = (filter: Filter) => [
    ...far(wordsOf(filter), { filter }),
    ...far(`${wordsOf(filter)}, newest first`, { filter, sort: [kind.moment, 'DESC'] }),
  ];
  return [
    page('all', {}),
    page('all, page 40', { currentPage: 40 }),
    ...far('all', {}),
    ...[...kind.filters(size), ...kind.common].flatMap((filter) => byFilter(filter, false)),
    ...kind.growing.flatMap((filter) => byFilter(filter, true)),
    ...[...kind.common, ...kind.growing].flatMap(farByFilter),
    ...kind.sorts.flatMap((sort) => [
      page(`by ${sort}`, { sort: [sort, 'ASC'] }),
      page(`by ${sort}, last first`, { sort: [sort, 'DESC'] }),
      ...far(`by ${sort}`, { sort: [sort, 'ASC'] }),
    ]),
    ...kind.coarseSorts.flatMap((sort) => [
      page(`by ${sort}`, { sort: [sort, 'ASC'] }, true),
      page(`by ${sort}, last first`, { sort: [sort, 'DESC'] }, true),
    ]),
  ];
}

/** The same at each size: the last day has a time of its own. */
const wordsOf = ([field, value, condition]: Filter) =>
  [field, condition, /^\d{4}-\d{2}-\d{2}T/.test(value) ? 'the last day' : value].filter((part) => part).join(' ');

/** Lists that are no search: they take a number of rows, and tell no total. */
const registerPages: readonly ShopPage[] = [
  {
    name: 'carts held at one location',
    asked: {
      path: `/V1/pos/held-carts/location/${heldAt}`,
      find: listed((em, pageSize) => findHeldCarts(em, { locationId: heldAt, pageSize })),
      searchCriteria: pageCriteria({}),
    },
    growsWithShop: false,
  },
  {
    name: 'open returns',
    asked: { path: '/V1/pos/rma/open', find: listed(openReturns), searchCriteria: pageCriteria({}) },
    growsWithShop: false,
  },
];

function listed(find: (em: EntityManager, limit: number) => Promise<readonly object[]>): ListAsked['find'] {
  return async (em: EntityManager, { pageSize = 20 }: SearchCriteria) => ({
    totalCount: (await find(em, pageSize)).length,
  });
}
