import { postJson, type JsonAnswer } from '../post-json.ts';

export interface CreditServiceSettings {
  baseUrl: string;
  apiKey: string | undefined;
  /** What it keeps. */
  kind: 'gift_card' | 'store_credit';
}

/** No answer of the service is longer. */
const longestAnswer = 64 * 1024;

/** One question to the service, over by its deadline. Never throws. */
export const callCreditService = (
  { baseUrl, apiKey }: CreditServiceSettings,
  { path, body, deadline }: { path: string; body: Record<string, unknown>; deadline: Date },
): Promise<JsonAnswer> =>
  postJson({ baseUrl, path, apiKey, body, timeoutMs: deadline.getTime() - Date.now(), longestAnswer });
