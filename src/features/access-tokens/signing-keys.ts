import { createPrivateKey, type JsonWebKey, randomUUID } from 'node:crypto'
import { operator, systemActor } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import type { Services } from '#foundation/services.ts'
import { type Algorithm, generateKeys, signWith } from './algorithms.ts'
import { auditRotation } from './audit-rotation.ts'
import { deleteSigningKeys, insertSigningKey, listSigningKeys, type SigningKeyRow } from './store.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'config'>

export interface SigningKey {
  readonly id: string
  readonly algorithm: Algorithm
  /** Signs a text in the form of a JWS. */
  sign(text: string): Buffer
}

export const sealedSigningKeys: SealedPlace = {
  table: 'signing_keys',
  key: ['id'],
  column: 'private_key',
  context: ({ id }) => contextOf(id!),
}

/** Maximum lifetime of an access token: a key stays published this long after its last use. */
const MAX_TOKEN_MS = 86_400_000

/** Milliseconds between publication and first use of a key, so that caches of the key set contain it by then. */
const PUBLISHED_AHEAD_MS = 86_400_000

/** Milliseconds after which a process notices that another one rotated the key. */
const KEPT_MS = 10_000

const kept = new WeakMap<Db, { readonly key: SigningKey; readonly until: number }>()

/**
 * Returns the current signing key. Reads through `on` inside a transaction: it already holds a connection and must not
 * wait for another one.
 */
export async function currentSigningKey(deps: Deps, on: Db = deps.db): Promise<SigningKey> {
  const now = deps.now()
  const cached = kept.get(deps.db)
  if (cached && cached.until > now && cached.until <= now + KEPT_MS) return cached.key
  const rows = await listSigningKeys(on)
  // No row qualifies only if the clock was set back; then the first key is as good as any.
  const row = rows.findLast(({ used_from }) => used_from <= now) ?? rows[0]
  if (!row) throw new Error('There is no signing key. Restart the server to create one.')
  const next = rows.find(({ used_from }) => used_from > now)
  const key = toSigningKey(deps, row)
  kept.set(deps.db, { key, until: Math.min(now + KEPT_MS, next?.used_from ?? Infinity) })
  return key
}

function toSigningKey({ keyring }: Pick<Deps, 'keyring'>, row: SigningKeyRow): SigningKey {
  const pem = keyring.open(row.private_key, contextOf(row.id))
  if (pem === undefined) throw new Error(`signing key ${row.id} cannot be decrypted with this secret key`)
  const key = createPrivateKey(pem)
  const algorithm = row.algorithm as Algorithm
  return { id: row.id, algorithm, sign: (text) => signWith(algorithm, key, text) }
}

/** Returns the public keys of all tokens that may still be valid, and of keys that will sign later (RFC 7517). */
export async function publishedKeys({ db }: Pick<Deps, 'db'>): Promise<JsonWebKey[]> {
  const rows = await listSigningKeys(db)
  return rows.map(({ public_key }) => JSON.parse(public_key) as JsonWebKey)
}

/** Creates the first key. Called on every start, before the first request. */
export async function ensureSigningKey(deps: Deps): Promise<void> {
  const rows = await listSigningKeys(deps.db)
  if (rows.length === 0) await insertSigningKey(deps.db, await makeKey(deps, deps.now()))
}

/**
 * Creates the next key when the current one reaches its maximum age or differs from the configured algorithm. Removes
 * keys whose last tokens have expired.
 */
export async function rotateSigningKeys(deps: Deps): Promise<void> {
  const { db, config, now } = deps
  const rows = await listSigningKeys(db)
  const newest = rows.at(-1)
  if (!newest) return ensureSigningKey(deps)
  const oldAt = newest.used_from + config.signingKeyDays * 86_400_000 - PUBLISHED_AHEAD_MS
  const isDue = now() >= oldAt || newest.algorithm !== config.tokenAlgorithm
  // A key that waits for its first use already replaces the current one.
  if (isDue && newest.used_from <= now()) {
    const key = await makeKey(deps, now() + PUBLISHED_AHEAD_MS)
    await inTransaction(db, async (tx) => {
      await insertSigningKey(tx, key)
      const { id: keyId, created_at: at, used_from: usedFrom } = key
      await auditRotation(tx, systemActor, { keyId, at, usedFrom, reason: 'scheduled' })
    })
  }
  const unneeded = rows.filter((_, index) => {
    const successor = rows[index + 1]
    return successor && successor.used_from + MAX_TOKEN_MS + KEPT_MS <= now()
  })
  await deleteSigningKeys(
    db,
    unneeded.map(({ id }) => id),
  )
}

/**
 * Creates a key for an operator: published now and used a day later, or, if the present keys are compromised, used at
 * once and alone.
 */
export async function replaceSigningKey(
  deps: Deps,
  tx: Db,
  reason: 'planned' | 'compromised',
): Promise<{ id: string; usedFrom: number; withdrawn: string[] }> {
  const at = deps.now()
  const key = await makeKey(deps, reason === 'planned' ? at + PUBLISHED_AHEAD_MS : at)
  const rows = await listSigningKeys(tx)
  // Withdraw a key that waits for its first use; otherwise both would sign.
  const withdrawn = (reason === 'planned' ? rows.filter(({ used_from }) => used_from > at) : rows).map(({ id }) => id)
  await deleteSigningKeys(tx, withdrawn)
  await insertSigningKey(tx, key)
  await auditRotation(tx, operator, { keyId: key.id, at, usedFrom: key.used_from, reason, withdrawn })
  return { id: key.id, usedFrom: key.used_from, withdrawn }
}

async function makeKey({ keyring, config, now }: Deps, usedFrom: number): Promise<SigningKeyRow> {
  const id = randomUUID()
  const algorithm = config.tokenAlgorithm
  const { publicKey, privateKey } = await generateKeys(algorithm)
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: id, alg: algorithm, use: 'sig' }
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
  return {
    id,
    algorithm,
    public_key: JSON.stringify(jwk),
    private_key: keyring.seal(pem, contextOf(id)),
    created_at: now(),
    used_from: usedFrom,
  }
}

function contextOf(id: string): string {
  return `signing key ${id}`
}
