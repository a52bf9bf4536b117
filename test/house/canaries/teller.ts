import type { Answer, TestApi } from '../../support/api.ts';

/** One answer, by the route that gave it. */
export interface GivenAnswer {
  route: string;
  text: string;
}

/** Calls the API as an administrator, or with the token given, and keeps every answer. */
export function aTeller(api: TestApi) {
  const answers: GivenAnswer[] = [];
  const call = async (method: string, path: string, body?: unknown, token = api.tokens.admin): Promise<Answer> => {
    const answer = await api.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    answers.push({ route: `${method} ${placeOf(path)}`, text: JSON.stringify(answer.body ?? '') });
    return answer;
  };
  return {
    answers,
    call,
    post: async (path: string, body?: unknown, token?: string) => (await call('POST', path, body, token)).body,
  };
}
export type Teller = ReturnType<typeof aTeller>;

/** Ids are all alike. */
const placeOf = (path: string) =>
  path
    .replace(/\?.*/, '')
    .replaceAll(/\/\d+/g, '/:id')
    .replace(/giftcard\/.*/, 'giftcard/:code');
