import { issueAccessToken, TokenBasisGone, type TokenInput } from '#features/access-tokens/issue-access-token.ts'
import type { AccountClient, AuthenticatedClient, InstallClient } from '#foundation/access/oauth-client.ts'
import { repeatAfterDeadlock } from '#foundation/db/in-transaction.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { refuse } from '../refused-client.ts'
import { narrowScopes, parseScopes } from '../scope-parameter.ts'
import type { TokenAnswer } from '../token-answer.ts'

/** Issues an access token to a client acting for itself (RFC 6749 §4.4). */
export async function grantClientCredentials(
  needs: Pick<Services, 'db' | 'keyring' | 'now' | 'config' | 'baseUrl'>,
  client: AuthenticatedClient,
  scope: string | undefined,
): Promise<TokenAnswer> {
  if (client.kind === 'app') {
    throw new Problem(
      'unauthorized-client',
      'This app acts for users; only installs of unattended apps and service accounts use client_credentials',
    )
  }
  const { answered, ...input } = client.kind === 'app_install' ? ofInstall(client, scope) : ofAccount(client, scope)
  try {
    const token = {
      ...input,
      clientId: client.clientId,
      subject: input.botId,
      ttlSeconds: client.ttlSeconds,
      credential: client.credential,
      endsAt: client.kind === 'service_account' ? client.endsAt : null,
    }
    // A single statement needs no transaction.
    const issued = await repeatAfterDeadlock(() => issueAccessToken(needs, needs.db, token))
    return {
      access_token: issued.token,
      token_type: 'bearer',
      expires_in: issued.expiresInSeconds,
      scope: answered.join(' '),
      bot_id: input.botId,
    }
  } catch (error) {
    // The client was deleted between its authentication and the storing of its token.
    if (error instanceof TokenBasisGone) throw refuse('The client or its secret has just been deleted')
    throw error
  }
}

type Part = Pick<TokenInput, 'basis' | 'botId' | 'scopes'> & { readonly answered: readonly string[] }

function ofInstall({ id, scopes }: InstallClient, scope: string | undefined): Part {
  const granted = narrowScopes(scope, scopes)
  return { basis: { installId: id }, botId: id, scopes: granted, answered: granted }
}

/**
 * Returns the permissions of an account's token. Without requested scopes the token follows the role, and the response
 * contains the role's current permissions.
 */
function ofAccount({ id, permissions }: AccountClient, scope: string | undefined): Part {
  const answered = narrowScopes(scope, permissions)
  const scopes = parseScopes(scope, permissions).length === 0 ? null : answered
  return { basis: { serviceAccountId: id }, botId: id, scopes, answered }
}
