/**
 * Loaded into the server and the sandbox before they start (node --import): when the process that started them
 * was killed, they stop as on SIGTERM instead of holding their ports forever.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
