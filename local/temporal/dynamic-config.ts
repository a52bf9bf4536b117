/**
 * With the server's own limits, which suit big clusters, a task takes 50 ms longer and a timer a second.
 * `deploy/temporal/dynamic-config.yaml` has the same values for your own server.
 */
export const dynamicConfig = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 500,
  'history.timerProcessorMaxTimeShift': '1ms',
  'system.enableActivityEagerExecution': true,
} as const;
