import { commentDocumentRoute } from '../../http/comment-document-route.ts';
import { documentCommentsRoute } from '../../http/document-comments-route.ts';

/** The comments on a shipment (platform facts 3.5). */
export const listShipmentComments = documentCommentsRoute({
  path: '/V1/shipment/:id/comments',
  acl: 'Platform_Sales::shipment',
  summary: 'Comments on a shipment',
  document: 'shipment',
  name: 'listShipmentComments',
  description: 'Newest first, at most 1,000. It is empty for an unknown shipment.',
  outcomes: [],
  examples: [
    {
      title: 'One comment',
      params: { id: 7 },
      response: {
        items: [
          {
            entity_id: 3,
            parent_id: 7,
            comment: 'Left with the neighbour',
            is_customer_notified: 0,
            is_visible_on_front: 1,
            created_at: '2026-11-21 09:30:00',
          },
        ],
        search_criteria: { filter_groups: [{ filters: [{ field: 'parent_id', value: '7', condition_type: 'eq' }] }] },
        total_count: 1,
      },
    },
  ],
});

/** Adds a comment to a shipment (platform facts 5.5). */
export const commentShipment = commentDocumentRoute({
  name: 'commentShipment',
  path: '/V1/shipment/:id/comments',
  acl: 'Platform_Sales::shipment',
  summary: 'Comment on a shipment',
  document: 'shipment',
});
