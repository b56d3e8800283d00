import { connect, createServer, type Server } from 'node:net';

/** Passes connections on to the web processes in turns, and past one that is gone. */
export function startBalancer(port: number, web: readonly number[]): Server {
  let turn = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const reach = (tries: number): void => {
      const onward = connect(web[turn++ % web.length] ?? 0, '127.0.0.1');
      let isOpen = false;
      onward.once('connect', () => {
        isOpen = true;
        socket.pipe(onward);
        onward.pipe(socket);
      });
      onward.on('error', () => (isOpen || tries === 0 ? socket.destroy() : reach(tries - 1)));
      onward.on('close', () => isOpen && socket.destroy());
      socket.on('close', () => onward.destroy());
    };
    reach(web.length);
  });
  server.listen(port, '127.0.0.1');
  return server;
}
