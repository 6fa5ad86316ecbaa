import { issueAccessToken, TokenBasisGone, type TokenInput } from '#features/access-tokens/issue-access-token.ts'
import type { AccountClient, AuthenticatedClient, InstallClient } from '#foundation/access/oauth-client.ts'
import { repeatAfterDeadlock } from '#foundation/db/in-transaction.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { refuse } from '../client-authentication.ts'
import { knownScopes, narrowScopes } from '../scope-parameter.ts'
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
  const { answered, ...wanted } = client.kind === 'app_install' ? ofInstall(client, scope) : ofAccount(client, scope)
  try {
    const token = {
      ...wanted,
      clientId: client.clientId,
      subject: wanted.botId,
      ttlSeconds: client.ttlSeconds,
      credential: client.credential,
      endsAt: client.kind === 'service_account' ? client.endsAt : null,
    }
    // One statement, which needs no transaction around it.
    const issued = await repeatAfterDeadlock(() => issueAccessToken(needs, needs.db, token))
    return {
      access_token: issued.token,
      token_type: 'bearer',
      expires_in: issued.expiresInSeconds,
      scope: answered.join(' '),
      bot_id: wanted.botId,
    }
  } catch (error) {
    // It authenticated, and was deleted before its token was stored.
    if (error instanceof TokenBasisGone) throw refuse('The client or its secret has just been deleted')
    throw error
  }
}

type Part = Pick<TokenInput, 'basis' | 'botId' | 'scopes'> & { readonly answered: readonly string[] }

function ofInstall({ id, scopes }: InstallClient, scope: string | undefined): Part {
  const granted = narrowScopes(scope, scopes)
  return { basis: { installId: id }, botId: id, scopes: granted, answered: granted }
}

/** A token that was asked for no scopes follows the account's role; the answer says what that holds now. */
function ofAccount({ id, permissions }: AccountClient, scope: string | undefined): Part {
  const answered = narrowScopes(scope, permissions)
  const scopes = knownScopes(scope, permissions).length === 0 ? null : answered
  return { basis: { serviceAccountId: id }, botId: id, scopes, answered }
}
