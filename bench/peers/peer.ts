/** What is measured, as the table names it. */
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

/** One whole path, over HTTP; `n` counts up, so that each return takes an order of its own. Throws where it is refused. */
export type Call = (n: number) => Promise<unknown>;

/** A shop that runs, with the same data as the others. */
export interface Peer {
  name: string;
  version: string;
  calls: Partial<Record<PathName, Call>>;
  /** Whose processor time counts as the application's, and as the engine's that keeps its flows. */
  pids: { application: readonly number[]; engine: readonly number[] };
  stop(): Promise<void>;
}

/** The same data for all of them. */
export interface ShopSize {
  products: number;
  customers: number;
  orders: number;
}

export interface PeerWish {
  /** An empty database, on the server that all of them share. */
  databaseUrl: string;
  size: ShopSize;
  /** The folder that holds what is installed, kept from run to run. */
  home: string;
  say: (line: string) => void;
}

export const linesOfOrder = 3;
export const emailOf = (n: number): string => `customer-${n}@peers.example`;
export const skuOf = (n: number): string => `PEER-${String(n).padStart(5, '0')}`;
/** Prices without cents of tax that round: 5.00 to 94.00. */
export const centsOf = (n: number): number => (5 + (n % 90)) * 100;
/** Which products an order has: three that differ. */
export const productsOf = (order: number, products: number): number[] =>
  Array.from({ length: linesOfOrder }, (_, line) => (order * 7 + line * 331) % products);

/** An answer as the peer gives it: whether it is right shows in the next call. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Answer = any;
