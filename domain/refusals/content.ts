/** What pages, blocks and pictures are refused with. */
import { refusal } from './refusal.ts';

export const alreadyScheduledThen = refusal(400, 'The same is scheduled for this moment already.', {
  when: 'Another version is to be published at this moment.',
});

export const scheduleHasEnded = refusal(400, 'The schedule is over: %1.', {
  when: 'It was carried out, failed or called off.',
});

export const scheduleNotFound = refusal(404, `The schedule with the "%1" ID doesn't exist.`, {
  when: 'There is no schedule of this id.',
});

export const versionNotFound = refusal(404, 'The version %1 does not exist.', {
  when: 'It has no version of this number.',
});

export const pictureTooHeavy = refusal(400, 'A picture has at most %1 kB.', { when: 'It has more than 3 MB.' });

export const pictureTooWide = refusal(400, 'A picture has at most %1 pixels each way.', {
  when: 'A PNG has more than 2000, another picture more than 6000.',
});

export const imageNotBase64 = refusal(400, 'The image content must be valid base64 encoded data.', {
  when: 'It is no base64, or no PNG, JPEG or GIF that can be read. Only a file of up to 1 kB may lack its end.',
});
