import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { type FailureCode, OutgoingFailed, OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { createSlots } from '#foundation/outgoing/slots.ts'
import { noteAge } from './answer-ages.ts'
import { type Asker, findAsker } from './asker.ts'
import type { CachedAnswer, RegistryCache } from './registry-cache.ts'
import { createSharedWork } from './shared-work.ts'

/** A request for one document of a registry, with the function that extracts the part to cache. */
export interface Question<T> {
  readonly url: string
  readonly accept: string
  /** Names the format that `reduce` returns; a new name invalidates cached answers in older formats. */
  readonly form: string
  /** Milliseconds for which the answer is used without revalidation; defaults to the registry's. */
  readonly maxAgeMs?: number
  /** The wanted byte range (`bytes=…`); a registry may send the whole document anyway. */
  readonly range?: string
  /** Returns the kept part as plain JSON. Throws `RegistryUnreachable` for an unusable document. */
  reduce(document: Buffer, place: DocumentRange): T | Promise<T>
}

/** The received byte range of a document: its start and the total size. */
export interface DocumentRange {
  readonly start: number
  readonly total: number
}

export interface RegistryAnswer<T> {
  /** Undefined if the registry does not have the document. */
  readonly value: T | undefined
  /** When the registry last gave or confirmed it, in epoch milliseconds. */
  readonly validatedAt: number
  /** The reason why a stale answer is used, such as an unreachable registry. */
  readonly staleBecause: string | undefined
  /** End of the time in which the answer is used without asking again, in epoch milliseconds. */
  readonly freshUntil: number
}

/**
 * A client for one registry, independent of its protocol. Caches and validates answers, and shares simultaneous
 * queries.
 */
export interface RegistryClient {
  /** Throws `RegistryUnreachable` if there is no answer, not even a stale one. */
  ask<T>(question: Question<T>): Promise<RegistryAnswer<T>>
}

/**
 * The use of registries: a server asks again some time after a failed connection, a run of a command does not. `never`
 * uses only cached answers.
 */
export type RegistryUse = 'server' | 'run' | 'never'

export interface RegistryParts {
  readonly cache: RegistryCache
  readonly outgoing: Outgoing
  /** Defaults to that of a server. */
  readonly use?: RegistryUse | undefined
  now(): number
  /** Called for every question that a registry did not answer, even if a stale answer was used. */
  onFailure?(failure: RegistryFailure): void
}

export interface RegistryFailure {
  readonly host: string
  readonly reason: string
}

export interface RegistrySettings {
  /** Value of the `Authorization` header, sent only to this registry's own origin. */
  readonly authorization?: string | undefined
  /** Milliseconds for which a cached answer is used without revalidation. */
  readonly maxAgeMs: number
  /** The same for "no such package". */
  readonly maxAbsenceMs?: number | undefined
}

/** The callers of a shared query, which is aborted when none of them waits any more. */
interface Asking {
  readonly signal: AbortSignal
  readonly party: Asker['org'] | undefined
}

const DEFAULT_ABSENCE_MS = 60_000
const QUESTIONS_AT_A_TIME = 16
/** After a failure, the registry is not asked for this long: hundreds of packages must not each wait for a timeout. */
const OUTAGE_MS: Readonly<Record<RegistryUse, number>> = {
  server: 10_000,
  run: Number.POSITIVE_INFINITY,
  never: Number.POSITIVE_INFINITY,
}
const NOT_ASKED = { until: Number.POSITIVE_INFINITY, reason: 'registries are not asked (--offline)' }
const OUTAGES: readonly FailureCode[] = ['connect', 'connect-timeout', 'dns', 'proxy', 'tls']

export function createRegistryClient(parts: RegistryParts, settings: RegistrySettings): RegistryClient {
  const { cache, outgoing, now, use = 'server' } = parts
  const { authorization, maxAgeMs, maxAbsenceMs = DEFAULT_ABSENCE_MS } = settings
  const slots = createSlots(QUESTIONS_AT_A_TIME)
  const underWay = createSharedWork<RegistryAnswer<unknown>>()
  let outage: { until: number; reason: string } | undefined = use === 'never' ? NOT_ASKED : undefined

  async function answer<T>(question: Question<T>, key: string, asker: Asking): Promise<RegistryAnswer<T>> {
    const cached = await cache.find(key)
    if (cached && isFresh(cached, question)) return fromCache(cached, question)
    try {
      return await slots.run('', asker, () => askRegistry(question, { key, cached, asker }))
    } catch (error) {
      if (!(error instanceof RegistryUnreachable) || asker.signal.aborted) throw error
      parts.onFailure?.({ host: hostOf(question.url), reason: error.message })
      // A stale "no such package" proves nothing; a stale document is still right about the versions that it lists.
      if (cached?.text === undefined) throw error
      return { ...fromCache<T>(cached, question), staleBecause: error.message }
    }
  }

  function isFresh(cached: CachedAnswer, question: Question<unknown>): boolean {
    return cached.validatedAt <= now() && now() < freshUntil(cached, question)
  }

  function freshUntil({ validatedAt, text }: Pick<CachedAnswer, 'validatedAt' | 'text'>, question: Question<unknown>) {
    return validatedAt + (text === undefined ? maxAbsenceMs : (question.maxAgeMs ?? maxAgeMs))
  }

  function fromCache<T>(cached: CachedAnswer, question: Question<T>): RegistryAnswer<T> {
    const { text, validatedAt } = cached
    const value = text === undefined ? undefined : (JSON.parse(text) as T)
    return { value, validatedAt, staleBecause: undefined, freshUntil: freshUntil(cached, question) }
  }

  async function askRegistry<T>(
    question: Question<T>,
    { key, cached, asker }: { key: string; cached: CachedAnswer | undefined; asker: Asking },
  ): Promise<RegistryAnswer<T>> {
    const { status, headers, bytes } = await request(question, cached, asker)
    const url = question.url
    if (status === 304 && cached?.text !== undefined) {
      await cache.confirm(key)
      return fromCache({ ...cached, validatedAt: now() }, question)
    }
    if (status === 404 || status === 410) {
      await cache.save(key, { url, text: undefined, etag: undefined, lastModified: undefined })
      return toAnswer(undefined, undefined, question)
    }
    const place = placeOf(status, headers, { question, length: bytes.length })
    if (place === undefined) throw new RegistryUnreachable(`${hostOf(url)} answered ${status}${hintFor(status)}`)
    const value = await question.reduce(bytes, place)
    const text = JSON.stringify(value)
    await cache.save(key, { url, text, etag: headers['etag'], lastModified: headers['last-modified'] })
    return toAnswer(value, text, question)
  }

  function toAnswer<T>(value: T | undefined, text: string | undefined, question: Question<T>): RegistryAnswer<T> {
    const validatedAt = now()
    return { value, validatedAt, staleBecause: undefined, freshUntil: freshUntil({ validatedAt, text }, question) }
  }

  async function request<T>({ url, accept, range }: Question<T>, cached: CachedAnswer | undefined, asker: Asking) {
    if (outage && outage.until > now()) throw new RegistryUnreachable(outage.reason)
    const headers = {
      ...(authorization === undefined ? {} : { authorization }),
      ...(range === undefined ? {} : { range }),
      ...validators(cached),
    }
    try {
      const got = await outgoing.get(url, { accept, headers, ...asker })
      outage = undefined
      return got
    } catch (error) {
      if (!(error instanceof OutgoingFailed) && !(error instanceof OutgoingRefused)) throw error
      const reason = outageOf(error, url)
      if (reason !== undefined) outage = { until: now() + OUTAGE_MS[use], reason }
      throw new RegistryUnreachable(reason ?? error.message, { cause: error })
    }
  }

  return {
    ask<T>(question: Question<T>) {
      const { form, range, url } = question
      const key = range === undefined ? `${form} ${url}` : `${form} ${range} ${url}`
      const asker = findAsker()
      const begin = (signal: AbortSignal) => answer(question, key, { signal, party: asker?.org })
      const shared = underWay.join(key, asker?.signal, begin) as Promise<RegistryAnswer<T>>
      return shared.then(noted)
    },
  }
}

function noted<T>(answer: RegistryAnswer<T>): RegistryAnswer<T> {
  noteAge(answer)
  return answer
}

function validators(cached: CachedAnswer | undefined): Record<string, string> {
  if (cached?.text === undefined) return {}
  return {
    ...(cached.etag === undefined ? {} : { 'if-none-match': cached.etag }),
    ...(cached.lastModified === undefined ? {} : { 'if-modified-since': cached.lastModified }),
  }
}

/** Returns the position of the received bytes; undefined for an answer without a usable document. */
function placeOf<T>(
  status: number,
  headers: Readonly<Record<string, string>>,
  { question, length }: { question: Question<T>; length: number },
): DocumentRange | undefined {
  if (status === 200) return { start: 0, total: length }
  if (status !== 206 || question.range === undefined) return undefined
  const [, first, last, all] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? []
  const [start, end, total] = [Number(first), Number(last), Number(all)]
  return end < total && end - start + 1 === length ? { start, total } : undefined
}

/** Describes a failure by the registry, not by the package: all later results repeat this text. */
function outageOf(error: OutgoingFailed | OutgoingRefused, url: string): string | undefined {
  if (!(error instanceof OutgoingFailed) || !OUTAGES.includes(error.code)) return undefined
  return `${new URL(url).origin}: ${error.message.replace(/^https?:\/\/\S+: /, '')}`
}

function hostOf(url: string): string {
  return new URL(url).host
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return ': it refused the configured credentials'
  return status === 429 ? ': it limits the rate of requests' : ''
}
