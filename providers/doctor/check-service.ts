import { broken, ok, patienceMs, reasonOf, warning, type Check } from './check.ts';

export interface OutsideService {
  name: string;
  url: string;
  /** `department` */
  what: string;
  /** The variable with its address. */
  variable: string;
  /** What still works while it is away; absent: its work stops. */
  meanwhile?: string;
}

/** An outside service. Any answer counts as available. */
export async function checkService({ name, url, what, variable, meanwhile }: OutsideService): Promise<Check> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    return ok(name, `${what} at ${url}`);
  } catch (error) {
    const says = `the ${what} at ${url} does not answer (${reasonOf(error)})`;
    return meanwhile === undefined
      ? broken(name, says, `start it, or correct ${variable}`)
      : warning(name, `${says}; ${meanwhile}`, `run npm start, or correct ${variable}`);
  }
}
