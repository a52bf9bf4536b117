/**
 * Loaded before a child's own code: when whoever started it is gone, even by `kill -9`, the child ends as if asked to.
 */
process.on('disconnect', () => {
  const hasOwnWay = process.listenerCount('disconnect') > 1;
  if (!hasOwnWay) process.kill(process.pid, 'SIGTERM');
});
// The channel tells of the parent's end; it is no reason to stay.
process.channel?.unref();
