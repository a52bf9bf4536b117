import type { Letter } from './letter.ts';

export interface PausedEndpoint {
  endpointId: number;
  url: string;
  description: string;
  failingSince: string | null;
  pausedFor: string | null;
  waiting: number;
  /** The operator's page. */
  opsUrl: string;
}

/** The mail to an operator about an endpoint that took no event for a day. */
export function pausedEndpointLetter(endpoint: PausedEndpoint): Letter {
  const { endpointId, url, description, failingSince, pausedFor, waiting } = endpoint;
  const command = 'npm run --silent pos -- events endpoints';
  const lines = [
    `Endpoint ${endpointId} took no event since ${failingSince ?? 'a day'}. It is paused; what waits for it is kept.`,
    '',
    `Address:   ${url}`,
    ...(description === '' ? [] : [`For:       ${description}`]),
    `Waiting:   ${waiting} events`,
    `Why:       ${pausedFor ?? 'not known'}`,
    '',
    'Tell who runs it. When it works again, switch it on; all that waits is sent then:',
    '',
    `  ${command} on ${endpointId}`,
    '',
    'What it answered:',
    '',
    `  ${command} attempts ${endpointId}`,
    '',
    `The operator’s page: ${endpoint.opsUrl}`,
    '',
  ];
  return { subject: `Webhook endpoint ${endpointId} is paused`, text: lines.join('\n') };
}
