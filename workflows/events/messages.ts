export interface WebhookInput {
  endpointId: number;
}

/** One life for each endpoint, as long as it is on. */
export const webhookId = (endpointId: number) => `webhook-${endpointId}`;

/** The workers' queue for calls to endpoints: one that hangs takes no place of anything else. */
export const webhookQueue = (taskQueue: string) => `${taskQueue}-webhooks`;
