import { connect, createServer, type Socket } from 'node:net'

/** A way to a server. */
export interface Road {
  url: string
  /** As when the server is stopped: connections break, and new ones are refused. */
  cut(): void
  mend(): void
  /** The connection that next sends these words is dead from then on without a word: the server has lost it, and the client does not hear of it. */
  silence(words: string): void
  close(): Promise<void>
}

export async function roadTo(url: URL): Promise<Road> {
  const sockets = new Set<Socket>()
  let isCut = false
  let fatal: string | null = null
  const port = Number(url.port) || (url.protocol.startsWith('postgres') ? 5432 : 3306)
  const server = createServer(near => {
    if (isCut) return void near.destroy()
    const far = connect(port, url.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        if (isSilent) return
        near.destroy()
        far.destroy()
      })
    }
    let isSilent = false
    far.on('data', bytes => near.write(bytes))
    near.on('data', bytes => {
      if (fatal !== null && bytes.includes(fatal)) {
        fatal = null
        isSilent = true
        far.destroy()
      }
      if (!isSilent) far.write(bytes)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const through = new URL(url)
  through.hostname = '127.0.0.1'
  through.port = String(typeof address === 'object' && address ? address.port : 0)
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: through.href,
    cut,
    mend() {
      isCut = false
    },
    silence(words) {
      fatal = words
    },
    close: () => {
      cut()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
