import { normalizeIP } from '@fastify/rate-limit'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Services } from '#foundation/services.ts'
import { addFailure, block, type Count, forgetFailures, noteFailure, takeBackFailure } from './failures-store.ts'

/** The response to failures of one kind. The waiting time doubles after each, up to `longestSeconds` if that is set. */
interface Rule {
  /** Number of failures without a waiting time. */
  readonly free: number
  readonly longestSeconds: number
  /** Time after which the last failure no longer counts. */
  readonly forgetSeconds: number
}

/**
 * The kinds of counters. The account itself waits at most a minute, and only in browsers in which its owner has not
 * signed in before, so attackers cannot lock out the owner.
 */
const rules = {
  'account from an address': { free: 5, longestSeconds: 900, forgetSeconds: 86_400 },
  'known browser': { free: 5, longestSeconds: 900, forgetSeconds: 86_400 },
  address: { free: 30, longestSeconds: 300, forgetSeconds: 3600 },
  account: { free: 50, longestSeconds: 60, forgetSeconds: 3600 },
  // Six digits can be guessed, and an attacker here knows the password: this allows 96 attempts a day from all
  // addresses together.
  'second factor': { free: 5, longestSeconds: 900, forgetSeconds: 86_400 },
  'second factor in a known browser': { free: 5, longestSeconds: 900, forgetSeconds: 86_400 },
} as const satisfies Record<string, Rule>

type CountedFor = keyof typeof rules

/** The longest time after which a count no longer matters. */
export const FORGET_SECONDS = Math.max(...Object.values(rules).map(({ forgetSeconds }) => forgetSeconds))

export function waitSeconds(countedFor: CountedFor, failures: number): number {
  const { free, longestSeconds } = rules[countedFor]
  return failures <= free ? 0 : Math.min(longestSeconds, 2 ** (failures - free - 1))
}

/** A sign-in attempt: account, browser and address. */
export interface Attempt {
  /** The entered address in lower case; the account need not exist. */
  readonly email: string
  readonly address: string
  /** Id of the browser if the account's owner has signed in with it before. */
  readonly knownBrowser?: string | undefined
  /** True for a second factor after a correct password. */
  readonly isSecondStep?: true
}

/**
 * An admitted attempt. It counts as a failure from its start, so that concurrent attempts cannot circumvent the limit.
 */
export interface Admitted {
  readonly counts: readonly (Counter & { readonly blockedUntil: number })[]
}

class Blocked extends Error {
  readonly until: number

  constructor(until: number) {
    super('blocked')
    this.until = until
  }
}

type Deps = Pick<Services, 'db' | 'keyring' | 'now'>

/** Counts an attempt, or returns the waiting time. A refused attempt is not counted. */
export async function admitAttempt(deps: Deps, attempt: Attempt): Promise<Admitted | { readonly waitSeconds: number }> {
  const at = deps.now()
  try {
    return await inTransaction(deps.db, async (tx) => {
      const counted: (Counter & Count)[] = []
      for (const counter of countersOf(deps, attempt)) {
        const forgetBefore = at - rules[counter.countedFor].forgetSeconds * 1000
        counted.push({ ...counter, ...(await addFailure(tx, counter.id, { at, forgetBefore })) })
      }
      const end = Math.max(...counted.map(({ blockedUntil }) => blockedUntil))
      if (end > at) throw new Blocked(end)
      const counts: Admitted['counts'][number][] = []
      for (const { id, countedFor, failures } of counted) {
        const seconds = waitSeconds(countedFor, failures)
        const blockedUntil = seconds === 0 ? 0 : at + seconds * 1000
        if (seconds > 0) await block(tx, id, blockedUntil)
        counts.push({ id, countedFor, blockedUntil })
      }
      return { counts }
    })
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    return { waitSeconds: Math.ceil((error.until - at) / 1000) }
  }
}

interface Counter {
  readonly id: string
  readonly countedFor: CountedFor
}

/** Ordered, so that two attempts cannot deadlock. */
function countersOf({ keyring }: Deps, attempt: Attempt): Counter[] {
  return countedOf(attempt)
    .map(([countedFor, what]) => ({ countedFor, id: keyring.digest(`sign-in failures of ${countedFor}: ${what}`) }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

function countedOf({ email, address, knownBrowser, isSecondStep }: Attempt): [CountedFor, string][] {
  const network = normalizeIP(address)
  if (knownBrowser !== undefined) {
    return [[isSecondStep ? 'second factor in a known browser' : 'known browser', `${email} ${knownBrowser}`]]
  }
  if (isSecondStep) {
    return [
      ['second factor', email],
      ['address', network],
    ]
  }
  return [
    ['account from an address', `${email} ${network}`],
    ['address', network],
    ['account', email],
  ]
}

/**
 * Records a success. Resets the counters of this account and browser alone; the others only subtract this attempt,
 * since signing in to one's own account must not enable attacks on others.
 */
export async function forgiveAttempt(tx: Db, { counts }: Admitted): Promise<void> {
  for (const { id, countedFor, blockedUntil } of counts) {
    if (countedFor === 'address' || countedFor === 'account') await takeBackFailure(tx, id, blockedUntil)
    else await forgetFailures(tx, id)
  }
}

/** Records a failure. Always writes, so that the response takes the same time whether or not the account exists. */
export async function confirmFailure(tx: Db, { counts }: Admitted, at: number): Promise<void> {
  for (const { id } of counts) await noteFailure(tx, id, at)
}
