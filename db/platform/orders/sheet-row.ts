/** A row as JSON has it: numbers are numbers, times are ISO text. */
export type SheetRow = Readonly<Record<string, unknown>>;
