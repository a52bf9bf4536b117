import { connect } from 'node:net';

/** Sends bytes as they are and reads until the server hangs up: for what no HTTP client would send. */
export function rawRequest(url: string, bytes: string | Uint8Array): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('close', () => {
      const [head = '', ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), text: body.join('\r\n\r\n') });
    });
  });
}
