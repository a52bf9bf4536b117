import type { Story, StoryEvent } from './story.ts';

/** A story as text for a terminal: one paragraph per day, one line per event. */
export function renderStory({ title, facts, events, totals, next }: Story): string {
  return [
    title,
    ...facts.map((fact) => `  ${fact}`),
    '',
    ...events.flatMap((event, index) => [
      ...(dayOf(event) === dayOf(events[index - 1]) ? [] : [`${dayOf(event)} (UTC)`]),
      ...eventLines(event),
    ]),
    '',
    totals.map(({ what, amount }) => `${what} ${amount}`).join(' · '),
    '',
    'What can be done next',
    ...next.map((way) => `  - ${way}`),
  ].join('\n');
}

const dayOf = (event: StoryEvent | undefined) => event?.at.slice(0, 10);

function eventLines({ at, who, what, amount, workflow }: StoryEvent): string[] {
  const beside = [amount, who === null ? null : `by ${who}`, workflow === null ? null : `workflow ${workflow}`];
  const parts = beside.filter((part) => part !== null);
  return [`  ${at.slice(11, 19)}  ${what}`, ...(parts.length === 0 ? [] : [`            ${parts.join(' · ')}`])];
}
