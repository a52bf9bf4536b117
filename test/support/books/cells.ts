/** A record as PostgreSQL tells it: each column by its own name, an amount as text. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Cells<Column extends string> = Record<Column, any>;
export type Row = Cells<string>;
