import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listening {
  /** `http://HOST:PORT`, the port as it was given by the system. */
  url: string
  /** Takes no new connections and resolves when the requests that run are answered. */
  close(): Promise<void>
}

/** Listens on a host and port (0: any free one). Rejects with the system's error, in words where it is a taken port. */
export async function listen(
  handler: RequestListener,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer(handler)
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(inWords(error, port)))
    server.listen(port, host, resolve)
  })
  // A server that listens on a host and port has an address of this shape.
  const address = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    close: () => new Promise((resolve, reject) => server.close(error => (error ? reject(error) : resolve()))),
  }
}

/** True for the error of a port that something else listens on. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'
}

function inWords(error: NodeJS.ErrnoException, port: number): Error {
  return error.code === 'EADDRINUSE'
    ? new Error(`Port ${port} is taken. Choose another with --port or PORT.`, { cause: error })
    : error
}
