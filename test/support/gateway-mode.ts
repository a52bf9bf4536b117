/** Sets how the gateway simulator behaves until it is told otherwise, as an operator of the simulator does. */
export const setGatewayMode = (gateway: { url: string }, mode: object): Promise<Response> =>
  fetch(`${gateway.url}/control/mode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(mode),
  });
