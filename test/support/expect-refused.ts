import { expect } from '@jest/globals';
import type { Answer } from './api.ts';

/** A case of a table of refusals: what is wrong, what is sent, and how it is answered. */
export interface Refused {
  when: string;
  send: () => Promise<Answer>;
  status: number;
  /** The code in `parameters.outcome`, else the sentence, up to a `…` that stands for anything. */
  said: string;
}

/** Expects a refusal with this status, and with this code or sentence. */
export async function expectRefused({ send, status, said }: Omit<Refused, 'when'>): Promise<void> {
  const answer = await send();
  const [beginning = ''] = said.split('…');
  const outcome: unknown = answer.body.parameters?.outcome;
  const message = String(answer.body.message);
  const isSaid = outcome === said || message === said || (said.includes('…') && message.startsWith(beginning));
  expect({ status: answer.status, said: isSaid ? said : (outcome ?? message) }).toEqual({ status, said });
}
