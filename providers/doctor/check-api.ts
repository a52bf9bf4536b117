import { broken, ok, patienceMs, reasonOf, type Check, type DoctorContext } from './check.ts';

/** The API of a running `npm start`. Elsewhere any number of APIs may run, and none is known here. */
export async function checkApi({ ready }: DoctorContext): Promise<Check[]> {
  if (ready === undefined) return [];
  const address = ready.api.replace(/\/rest$/, '');
  try {
    const { status } = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(patienceMs) });
    if (status === 200) return [ok('api', `answers at ${ready.api}`)];
    return [broken('api', `at ${ready.api} is not ready (${status})`, 'fix what is broken here, then check again')];
  } catch (error) {
    return [broken('api', `${ready.api} does not answer (${reasonOf(error)})`, 'run npm start, or look into its log')];
  }
}
