/** The measured paths, by their names in the table. */
export const paths = [
  'order read',
  'product by sku',
  'product list of 100',
  "a customer's orders",
  'orders by status, newest first, 20',
  'sale: order, payment, hand-over',
  'return in one call, refund by hand',
  'return step by step',
] as const;
export type PathName = (typeof paths)[number];

/** One whole path over HTTP. `n` counts up, so that each return takes another order. Throws when a call is refused. */
export type Call = (n: number) => Promise<unknown>;

/** A running shop with the same data as the others. */
export interface Peer {
  name: string;
  version: string;
  calls: Partial<Record<PathName, Call>>;
  /** The processes whose processor time counts: the application's, and those of its workflow engine. */
  pids: { application: readonly number[]; engine: readonly number[] };
}

/** The amount of data, equal for all peers. */
export interface ShopSize {
  products: number;
  customers: number;
  orders: number;
}

export interface PeerWish {
  /** An empty database on the shared server. */
  databaseUrl: string;
  size: ShopSize;
  /** The folder of installed peers, kept between runs. */
  home: string;
  /** Each process that was started, the last one first: they are stopped however the run ends. */
  running: { stop(): Promise<void> }[];
  say: (line: string) => void;
}

export const linesOfOrder = 3;
export const emailOf = (n: number): string => `customer-${n}@peers.example`;
export const skuOf = (n: number): string => `PEER-${String(n).padStart(5, '0')}`;
/** Prices from 5.00 to 94.00, chosen so that tax needs no rounding. */
export const centsOf = (n: number): number => (5 + (n % 90)) * 100;
/** The products of an order: three different ones. */
export const productsOf = (order: number, products: number): number[] =>
  Array.from({ length: linesOfOrder }, (_, line) => (order * 7 + line * 331) % products);

/** A peer's answer. It is not checked here: a wrong one makes the next call fail. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = any;
