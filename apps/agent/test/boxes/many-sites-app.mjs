import { createServer } from 'node:http';

/** An echo for open connections, a page that takes its time, and a count of what was uploaded. */
const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    response.end(`${bytes}`);
    return;
  }
  const pieces = Number(new URL(request.url, 'http://app').searchParams.get('pieces') ?? 1);
  for (let sent = 0; sent < pieces; sent += 1) {
    if (sent > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    response.write('x'.repeat(1024));
  }
  response.end();
});
server.on('upgrade', (_, socket) => {
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  socket.pipe(socket);
  socket.on('error', () => socket.destroy());
});
server.listen(process.argv[2]);
