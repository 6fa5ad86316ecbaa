import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** The relay's only target. */
export interface RelayTarget {
  readonly host: string
  readonly port: number
  /** Checked addresses of the host, in order; empty if the host is an address or the operator's proxy. */
  readonly addresses: readonly string[]
  /** Speaks TLS to the target itself, for a proxy that requires it. */
  readonly isTls: boolean
  /** Requires SOCKS5 with a token from clients; otherwise forwards bytes unchanged. */
  readonly isSocks: boolean
}

/** A relay for one repository's git that counts bytes and connections. */
export interface GitRelay {
  readonly port: number
  /** The password of user `git` (RFC 1929). */
  readonly token: string
  /** Bytes received from the target so far. */
  readonly receivedBytes: number
  /** Time of the last received bytes (`performance.now`). */
  readonly receivedAt: number
  /** Sets the count back, for a fetch that was stopped and is repeated. */
  rewind(receivedBytes: number): void
  close(): void
}

/** Opens a relay on loopback that forwards at most `receivedBytes` and then closes every connection. */
export async function openGitRelay(target: RelayTarget, bounds: { receivedBytes: number }): Promise<GitRelay> {
  const token = randomBytes(16).toString('hex')
  const sockets = new Set<Socket>()
  let receivedBytes = 0
  let receivedAt = performance.now()

  // By default, a message of several parts waits for the acknowledgment of the first, 40 ms on Linux.
  const server = createServer({ noDelay: true }, (client) => {
    track(client)
    const opening = target.isSocks ? openSocks(client, token) : Promise.resolve(true)
    opening.then((isOpen) => (isOpen ? lead(client) : void client.destroy())).catch(() => client.destroy())
  })

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }

  async function lead(client: Socket): Promise<void> {
    const remote = await dial(target, track)
    if (remote === undefined) {
      if (target.isSocks) client.end(Buffer.from([5, 4, 0, 1, 0, 0, 0, 0, 0, 0]))
      else client.destroy()
      return
    }
    if (target.isSocks) client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
    remote.on('data', ({ length }: Buffer) => {
      receivedBytes += length
      receivedAt = performance.now()
      if (receivedBytes > bounds.receivedBytes) close()
    })
    client.pipe(remote).pipe(client)
    client.on('close', () => remote.destroy())
    remote.on('close', () => client.end())
  }

  function close(): void {
    server.close()
    for (const socket of sockets) socket.destroy()
  }

  server.on('error', () => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    token,
    get receivedBytes() {
      return receivedBytes
    },
    get receivedAt() {
      return receivedAt
    },
    rewind(bytes) {
      receivedBytes = bytes
    },
    close,
  }
}

/** Tries the addresses in turn. */
async function dial(target: RelayTarget, track: (socket: Socket) => void): Promise<Socket | undefined> {
  const { host, port, addresses, isTls } = target
  for (const address of addresses.length > 0 ? addresses : [host]) {
    const socket = isTls ? connectTls({ host: address, port, servername: host }) : connect({ host: address, port })
    socket.setNoDelay()
    track(socket)
    const isOpen = await once(socket, isTls ? 'secureConnect' : 'connect').then(
      () => true,
      () => false,
    )
    if (isOpen) return socket
    socket.destroy()
  }
  return undefined
}

const VERSION = 5
const WITH_PASSWORD = 2

/** Reads the SOCKS5 handshake (RFC 1928, RFC 1929) up to the request; ignores the requested address. */
async function openSocks(client: Socket, token: string): Promise<boolean> {
  const reader = readOpening(client)
  const [version, methods] = await reader.take(2)
  if (version !== VERSION || !(await reader.take(methods!)).includes(WITH_PASSWORD)) return false
  client.write(Buffer.from([VERSION, WITH_PASSWORD]))
  const [, userLength] = await reader.take(2)
  const user = await reader.take(userLength!)
  const [passwordLength] = await reader.take(1)
  const password = await reader.take(passwordLength!)
  if (user.toString() !== RELAY_USER || !isSame(password, Buffer.from(token))) return false
  client.write(Buffer.from([1, 0]))
  const [, command, , kind] = await reader.take(4)
  const length = kind === 1 ? 4 : kind === 4 ? 16 : (await reader.take(1))[0]!
  await reader.take(length + 2)
  reader.end()
  return command === 1
}

/** The user name that git sends to the relay. */
export const RELAY_USER = 'git'

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

const MAX_OPENING_BYTES = 2048
const OPENING_MS = 30_000

function readOpening(socket: Socket) {
  let buffer: Buffer = Buffer.alloc(0)
  let wake = () => {}
  const onData = (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    if (buffer.length > MAX_OPENING_BYTES) socket.destroy()
    wake()
  }
  const onClose = () => wake()
  socket.on('data', onData).on('close', onClose).on('end', onClose)
  socket.setTimeout(OPENING_MS, () => socket.destroy())
  return {
    async take(length: number): Promise<Buffer> {
      while (buffer.length < length) {
        if (socket.destroyed || socket.readableEnded) throw new Error('the client closed the connection')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      const taken = buffer.subarray(0, length)
      buffer = buffer.subarray(length)
      return taken
    },
    /** Leaves the rest of the stream unread. */
    end(): void {
      socket.pause()
      socket.off('data', onData).off('close', onClose).off('end', onClose)
      socket.setTimeout(0)
      if (buffer.length > 0) socket.unshift(buffer)
    },
  }
}
