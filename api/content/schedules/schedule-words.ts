import type { Outcome } from '../../http/route.ts';
import { changedSince, unknownVersion } from '../content-answer.ts';
import { unknownEntity } from '../../wire/outcomes.ts';

/** What all routes of schedules have in common. */
export const scheduleDoor = { acl: 'Vendor_Cms::schedule', isForAdmins: true } as const;

export const unknownSchedule: Outcome = {
  status: 404,
  message: `The schedule with the "%1" ID doesn't exist.`,
  when: 'There is no schedule of this id.',
};

export const notItsEditor: Outcome = {
  status: 401,
  message: "The consumer isn't authorized to access %resources.",
  when: 'Who may not publish this content may not plan it either.',
};

/** For a new plan; the content of a plan that exists is there, because its plans go with it. */
export const unknownContentOfPlan: Outcome = unknownEntity('There is no such content.');

export const unplannable: readonly Outcome[] = [
  unknownVersion,
  notItsEditor,
  {
    status: 400,
    message: 'The same is scheduled for this moment already.',
    when: 'Another version is to be published at this moment.',
  },
];

export const unchangeable: readonly Outcome[] = [
  unknownSchedule,
  { status: 400, message: 'The schedule is over: %1.', when: 'It was carried out, failed or called off.' },
  ...changedSince,
];
