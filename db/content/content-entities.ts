import { ContentItem } from './content-item.entity.ts';
import { ContentPublication } from './content-publication.entity.ts';
import { ContentRevision } from './content-revision.entity.ts';
import { ContentSchedule } from './content-schedule.entity.ts';
import { ContentVersion } from './content-version.entity.ts';

/** The tables of content. */
export const contentEntities = [ContentItem, ContentVersion, ContentPublication, ContentSchedule, ContentRevision];
