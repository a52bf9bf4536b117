import { postJson, type JsonAnswer } from '../post-json.ts';

export interface CreditServiceSettings {
  baseUrl: string;
  apiKey: string | undefined;
  /** The kind of credit that it keeps. */
  kind: 'gift_card' | 'store_credit';
}

/** The longest answer that is read. */
const longestAnswer = 64 * 1024;

/** One call to the service, which ends by its deadline. Never throws. */
export const callCreditService = (
  { baseUrl, apiKey }: CreditServiceSettings,
  { path, body, deadline }: { path: string; body: Record<string, unknown>; deadline: Date },
): Promise<JsonAnswer> =>
  postJson({ baseUrl, path, apiKey, body, timeoutMs: deadline.getTime() - Date.now(), longestAnswer });
