import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The address of an A record, a failure, or silence until `release`. */
export type DnsAnswer = string | 'no-such-name' | 'server-failure' | 'silence'

const RESPONSE_CODES = { 'server-failure': 2, 'no-such-name': 3 } as const
const A_RECORD = 1

/** A DNS server on loopback (RFC 1035 §4) that has IPv4 addresses only. */
export async function startDnsServer(answerFor: (name: string) => DnsAnswer) {
  const socket = createSocket('udp4')
  const queries: string[] = []
  let pending: (() => void)[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    queries.push(name)
    const answer = answerFor(name)
    const send = (said: Exclude<DnsAnswer, 'silence'>) =>
      socket.send(toResponse(query.subarray(0, end), said, type), port, address)
    if (answer === 'silence') pending.push(() => send('server-failure'))
    else send(answer)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Every question, in order; one for each type of record. */
    asked: queries,
    /** Answers what it was silent about with a failure. */
    release() {
      for (const answer of pending) answer()
      pending = []
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function toResponse(question: Buffer, said: Exclude<DnsAnswer, 'silence'>, type: number): Buffer {
  const head = Buffer.from(question)
  const code = said === 'server-failure' || said === 'no-such-name' ? RESPONSE_CODES[said] : 0
  const isFound = code === 0 && type === A_RECORD
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(isFound ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  if (!isFound) return head
  // A pointer to the name, type A, class IN, a minute, four bytes.
  const record = Buffer.from([0xc0, 12, 0, A_RECORD, 0, 1, 0, 0, 0, 60, 0, 4, ...said.split('.').map(Number)])
  return Buffer.concat([head, record])
}
