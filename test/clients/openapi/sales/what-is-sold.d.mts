export const url: string;
export const token: string;
// oxlint-disable-next-line typescript/no-explicit-any
export function aSale(): any;
export function mustBeComplete(client: string, order: object): void;
