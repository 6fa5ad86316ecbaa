import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'

/** A server on loopback for one test. */
export interface LocalServer extends AsyncDisposable {
  readonly port: number
  /** `http://127.0.0.1:<port>`. */
  readonly url: string
}

export function serveHttp(listener: RequestListener): Promise<LocalServer> {
  // Node's server ends idle connections after 5 s, also at the moment in which a test sends on one.
  return listen(createHttpServer({ keepAliveTimeout: 0 }, listener))
}

/** For answers that are not HTTP, or not all of it. */
export function serveTcp(onConnection: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createTcpServer(onConnection))
}

async function listen(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
