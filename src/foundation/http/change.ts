import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Permission } from '../access/permissions.ts'
import type { Change, OrgChange } from '../audit/record.ts'
import type { Db } from '../db/database.ts'
import { inTransaction } from '../db/in-transaction.ts'
import { Problem } from '../problem.ts'
import type { SealedPlace } from '../secrets/sealed-place.ts'
import type { Services } from '../services.ts'
import { actorOf, callerOf, groupOf, orgOf } from './request-context.ts'

/** A request and its answer. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The answer of a changing request once its transaction is committed. */
export interface Answer {
  readonly status: number
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A caller's change of something in a group. */
export interface GroupChange extends Change {
  readonly groupId: string
  /** The caller's permissions in the group. */
  readonly permissions: ReadonlySet<Permission>
}

export function toGroupChange(request: FastifyRequest, change: Change): GroupChange {
  return { ...change, groupId: groupOf(request).id, permissions: callerOf(request).permissions }
}

export const IDEMPOTENCY_HOURS = 24

export const sealedAnswers: SealedPlace = {
  table: 'idempotency_keys',
  key: ['principal_id', 'idempotency_key'],
  column: 'answer',
  context: (row) => contextOf({ principalId: row['principal_id']!, key: row['idempotency_key']! }),
}

/**
 * Runs a request's change in one transaction and sends its answer. With an `Idempotency-Key` the encrypted answer is
 * stored in the same transaction: the same request within 24 hours changes nothing and gets the same answer, even if
 * the server was killed before answering. `work` may run again, so it must change nothing outside its transaction. If
 * it returns nothing, the answer is 204.
 */
export async function answerChange(
  services: Pick<Services, 'db' | 'keyring' | 'now'>,
  { request, reply }: Exchange,
  work: (change: Change) => Promise<Answer> | Promise<void>,
): Promise<FastifyReply> {
  const key = keyOf(request)
  const answer = await inTransaction(services.db, async (tx) => {
    const change = { tx, actor: actorOf(request), at: services.now() }
    const answerOf = async () => (await work(change)) ?? { status: 204 }
    if (key === undefined) return answerOf()
    const slot = slotOf(services, { tx, key, request })
    return (await replay(services, slot)) ?? store(services, slot, await answerOf())
  })
  return send(reply, answer)
}

/** The same for a change in the organization of the request. */
export function answerOrgChange(
  services: Pick<Services, 'db' | 'keyring' | 'now'>,
  exchange: Exchange,
  work: (change: OrgChange) => Promise<Answer> | Promise<void>,
): Promise<FastifyReply> {
  const org = orgOf(exchange.request)
  return answerChange(services, exchange, (change) => work({ ...change, org }))
}

/**
 * Sends the stored answer of a request with this `Idempotency-Key` without claiming the key, for routes that contact
 * another server before they change anything. Returns false if there is none.
 */
export async function answerAgain(
  services: Pick<Services, 'db' | 'keyring' | 'now'>,
  { request, reply }: Exchange,
): Promise<boolean> {
  const key = keyOf(request)
  if (key === undefined) return false
  const answer = await findStored(services, slotOf(services, { tx: services.db, key, request }))
  if (answer === undefined) return false
  send(reply, answer)
  return true
}

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  reply.code(status)
  if (headers) reply.headers(headers)
  return reply.send(body)
}

interface Slot {
  readonly tx: Db
  readonly key: string
  readonly principalId: string
  readonly digest: string
  /** Keys older than this time have expired. */
  readonly oldest: number
}

function slotOf(
  services: Pick<Services, 'keyring' | 'now'>,
  { tx, key, request }: { tx: Db; key: string; request: FastifyRequest },
): Slot {
  const oldest = services.now() - IDEMPOTENCY_HOURS * 3_600_000
  return { tx, key, principalId: ownerOfKeys(request), digest: digestOf(services, request), oldest }
}

/**
 * Returns the owner of idempotency keys. An app that acts for a user has its own: it must not read answers to the
 * user's requests.
 */
function ownerOfKeys(request: FastifyRequest): string {
  const { id, delegation } = callerOf(request).principal
  return delegation?.botId ?? id
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || request.method !== 'POST') return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Problem('idempotency-key-invalid', 'Idempotency-Key must have 1 to 255 visible ASCII characters', {
    source: { header: 'idempotency-key' },
  })
}

/**
 * Returns a keyed digest of the request, since a body may hold a password. It includes the token's scopes: an answer is
 * repeated only with the same rights.
 */
function digestOf({ keyring }: Pick<Services, 'keyring'>, request: FastifyRequest): string {
  const { scopes } = callerOf(request).principal
  const narrowed = scopes && [...scopes].sort()
  return keyring.digest(JSON.stringify([request.method, request.url, request.body ?? null, narrowed]))
}

const NOTHING_YET = new Uint8Array()

/** Claims the key for this request, or returns its stored answer. Waits for a running request with the same key. */
async function replay(services: Pick<Services, 'keyring' | 'now'>, slot: Slot): Promise<Answer | undefined> {
  const { tx, key, principalId, digest } = slot
  await tx
    .deleteFrom('idempotency_keys')
    .where('principal_id', '=', principalId)
    .where('idempotency_key', '=', key)
    .where('created_at', '<', slot.oldest)
    .execute()
  const taken = await tx
    .insertInto('idempotency_keys')
    .values({
      principal_id: principalId,
      idempotency_key: key,
      request_digest: digest,
      answer: NOTHING_YET,
      created_at: services.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('created_at')
    .executeTakeFirst()
  if (taken) return undefined
  const stored = await findStored(services, slot)
  if (stored === undefined) throw new Error('a claimed Idempotency-Key no longer exists')
  return stored
}

/** Finds the stored answer of the key. Throws if it belongs to another request. */
async function findStored({ keyring }: Pick<Services, 'keyring'>, slot: Slot): Promise<Answer | undefined> {
  const stored = await slot.tx
    .selectFrom('idempotency_keys')
    .select(['request_digest', 'answer'])
    .where('principal_id', '=', slot.principalId)
    .where('idempotency_key', '=', slot.key)
    .where('created_at', '>=', slot.oldest)
    .executeTakeFirst()
  if (stored === undefined) return undefined
  const answer = stored.request_digest === slot.digest ? keyring.open(stored.answer, contextOf(slot)) : undefined
  if (answer === undefined) {
    throw new Problem('idempotency-key-reused', 'This Idempotency-Key was used for another request', {
      source: { header: 'idempotency-key' },
    })
  }
  const { headers, ...rest } = JSON.parse(answer) as Answer
  return { ...rest, headers: { ...headers, 'idempotency-replayed': 'true' } }
}

async function store({ keyring }: Pick<Services, 'keyring'>, slot: Slot, answer: Answer): Promise<Answer> {
  await slot.tx
    .updateTable('idempotency_keys')
    .set({ answer: keyring.seal(JSON.stringify(answer), contextOf(slot)) })
    .where('principal_id', '=', slot.principalId)
    .where('idempotency_key', '=', slot.key)
    .execute()
  return answer
}

function contextOf({ principalId, key }: Pick<Slot, 'principalId' | 'key'>): string {
  return `idempotency ${principalId} ${key}`
}
