import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A real server on a free port. Closing it also closes the connections that clients keep. */
export async function listen(
  app: RequestListener | Server,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = typeof app === 'function' ? createServer(app) : app
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(closed => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
