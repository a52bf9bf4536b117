import { broken, ok, patienceMs, reasonOf, warning, type Check } from './check.ts';

export interface OutsideService {
  name: string;
  url: string;
  /** `department` */
  what: string;
  /** The variable that says where it is. */
  variable: string;
  /** While it is away everything goes on, and how; absent: what it does stands still. */
  meanwhile?: string;
}

/** A service outside. Whatever it answers, it is there. */
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
