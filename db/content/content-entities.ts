import { ContentItem } from './content-item.entity.ts';
import { ContentPublication } from './content-publication.entity.ts';
import { ContentRenewal } from './content-renewal.entity.ts';
import { ContentRevision } from './content-revision.entity.ts';
import { ContentSchedule } from './content-schedule.entity.ts';
import { ContentVersion } from './content-version.entity.ts';
import { ContentViewText } from './content-view-text.entity.ts';

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
