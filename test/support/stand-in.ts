import type { Workflows } from '../../providers/temporal/workflows.ts';

/** Replaces workflows, so that they can be late or away. It records each request, and `answer` carries it out. */
export interface StandIn<Request> {
  asked: Request[];
  answer: (request: Request) => Promise<unknown>;
  workflows: Workflows;
}

export function aStandIn<Request>(): StandIn<Request> {
  const standIn: StandIn<Request> = {
    asked: [],
    answer: () => Promise.reject(new Error('nobody said what is to be answered')),
    workflows: {
      async ask(question) {
        const asked: unknown = question.request;
        standIn.asked.push(asked as Request);
        return (await standIn.answer(asked as Request)) as never;
      },
      signal: () => Promise.resolve(),
      start: () => Promise.resolve(),
      refuseWhileAway: async () => undefined,
      isReachable: () => Promise.resolve(true),
    },
  };
  return standIn;
}
