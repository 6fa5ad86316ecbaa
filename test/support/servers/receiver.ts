import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as a receiver of webhooks sees it. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  /** Answers deliveries; by default with 204. */
  answer: (response: ServerResponse, received: Received) => void
}

/** A receiver of webhooks on loopback that writes down everything it gets. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const message = { headers: request.headers, body, at: Date.now() }
      receiver.received.push(message)
      receiver.answer(response, message)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: (response) => response.writeHead(204).end(),
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections()
    },
  }
  return receiver
}

/**
 * Returns true if one of a message's signatures matches the secret; written from the specification, independent of the
 * signing code.
 */
export async function isSigned({ headers, body }: Received, secret: string): Promise<boolean> {
  const bytes = Uint8Array.from(atob(secret.slice('whsec_'.length)), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const signed = new TextEncoder().encode(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  for (const one of String(headers['webhook-signature']).split(' ')) {
    const [version, signature] = one.split(',')
    const signatureBytes = Uint8Array.from(atob(signature!), (character) => character.charCodeAt(0))
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, signatureBytes, signed))) return true
  }
  return false
}
