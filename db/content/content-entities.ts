import {
  ContentItem,
  ContentPublication,
  ContentRenewal,
  ContentRevision,
  ContentSchedule,
  ContentVersion,
  ContentViewText,
} from './content.entity.ts';

/** The tables of content. */
export const contentEntities = [
  ContentItem,
  ContentVersion,
  ContentPublication,
  ContentViewText,
  ContentRenewal,
  ContentSchedule,
  ContentRevision,
];
