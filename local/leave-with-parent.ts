/** Loaded before a child's own code: when its parent is gone, even by `kill -9`, the child ends as if asked to. */
process.on('disconnect', () => {
  const hasOwnWay = process.listenerCount('disconnect') > 1;
  if (!hasOwnWay) process.kill(process.pid, 'SIGTERM');
});
// The channel only reports the parent's end; it must not keep the child alive.
process.channel?.unref();
