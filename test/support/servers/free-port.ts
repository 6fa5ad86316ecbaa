import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below what systems give to outgoing connections (RFC 6335 §6), any of which could take it before it is listened on. */
const [FIRST, END] = [15_000, 32_000]

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (END - FIRST))
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
