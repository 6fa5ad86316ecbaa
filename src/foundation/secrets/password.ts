import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

/**
 * RFC 9106 §4, second recommended option scaled to a server: its letter would be 3 passes over 64 MiB with 4 lanes;
 * OWASP's minimum is 19 MiB, 2 passes, 1 lane.
 */
const COST = { memory: 65_536, passes: 3, parallelism: 1, tagLength: 32 } as const

/** Enough for secrets of at least 112 random bits, which need no slow hash (NIST SP 800-63B §5.1.2.2). */
const COST_OF_RANDOM = { ...COST, memory: 64, passes: 1 } as const

type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism' | 'tagLength'>

/** Hashes a password with argon2id in the PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

/** Hashes a random UUID quickly. Comparing it takes as long as comparing other passwords. */
export function hashRandomPassword(password: string): Promise<string> {
  return hash(password, COST_OF_RANDOM)
}

async function hash(password: string, cost: Cost): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await derive('argon2id', { message: password, nonce, ...cost })
  return `${prefixOf(cost)}${unpadded(nonce)}$${unpadded(tag)}`
}

function prefixOf({ memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`
}

const NO_NONCE = Buffer.alloc(16)

/** A hash that no password matches. Comparing it takes as long as comparing any other. */
export const decoyHash = `${prefixOf(COST)}${unpadded(NO_NONCE)}$${unpadded(Buffer.alloc(COST.tagLength))}`

/** Compares a password with a hash, in the same time for all of them. Returns false for a hash in another format. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash)
  if (!parts) return false
  const expected = Buffer.from(parts[5]!, 'base64')
  const tag = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(parts[4]!, 'base64'),
    memory: Number(parts[1]),
    passes: Number(parts[2]),
    parallelism: Number(parts[3]),
    tagLength: expected.length,
  })
  // A shorter time would reveal an account with a generated password.
  if (Number(parts[1]) === COST_OF_RANDOM.memory)
    await derive('argon2id', { message: password, nonce: NO_NONCE, ...COST })
  return timingSafeEqual(tag, expected)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
