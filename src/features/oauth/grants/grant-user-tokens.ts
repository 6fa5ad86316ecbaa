import { setTimeout as sleep } from 'node:timers/promises'
import { TokenBasisGone } from '#features/access-tokens/issue-access-token.ts'
import type { AuthenticatedClient } from '#foundation/access/oauth-client.ts'
import { isReferenceViolation } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { TokenAnswer } from '../token-answer.ts'
import { exchangeCode } from './exchange-code.ts'
import type { GrantRequest } from './grant-request.ts'
import { rotateRefreshToken } from './rotate-refresh-token.ts'

type Deps = Pick<Services, 'db' | 'keyring' | 'now' | 'config' | 'baseUrl'>

/**
 * Wait before a refresh token is used. Clients may send the same token several times concurrently; within this time all
 * of these requests arrive, so that they are recognized as concurrent (see `rotateRefreshToken`).
 */
const PAUSE_MS = 40

const grants = {
  authorization_code: { parameter: 'code', run: exchangeCode, pauseMs: 0 },
  refresh_token: { parameter: 'refresh_token', run: rotateRefreshToken, pauseMs: PAUSE_MS },
} as const

/** Issues tokens for a code (RFC 6749 §4.1.3) or a refresh token (§6), in one transaction. */
export async function grantUserTokens(
  deps: Deps,
  grant: keyof typeof grants,
  { client, ...request }: Omit<GrantRequest, 'client'> & { readonly client: AuthenticatedClient },
): Promise<TokenAnswer> {
  if (client.kind !== 'app') {
    throw new Problem('unauthorized-client', `${grant} is for apps that users authorize; use client_credentials`)
  }
  const { parameter, run, pauseMs } = grants[grant]
  const secret = request.form[parameter]
  if (secret === undefined) throw new Problem('invalid-request', `${parameter} is missing`)
  if (pauseMs > 0) await sleep(pauseMs)
  try {
    const outcome = await inTransaction(deps.db, (tx) => run(deps, tx, { ...request, client, secret }))
    if (outcome instanceof Problem) throw outcome
    return outcome
  } catch (error) {
    if (error instanceof TokenBasisGone || isReferenceViolation(error)) {
      throw new Problem('invalid-grant', 'The session has just been revoked')
    }
    throw error
  }
}
