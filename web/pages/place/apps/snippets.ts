interface Client {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** False for a client without a secret, which uses PKCE (RFC 7636). */
  readonly isConfidential: boolean
}

/** Generates a verifier and its challenge in a shell (RFC 7636 §4.1, §4.2). */
export const pkceCommands = [
  'CODE_VERIFIER=$(openssl rand -hex 32)',
  `CODE_CHALLENGE=$(printf %s "$CODE_VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')`,
  'echo "$CODE_CHALLENGE"',
].join('\n')

/**
 * Returns the address to which the app sends a browser (RFC 6749 §4.1.1). Values that the app must choose each time are
 * in capitals.
 */
export function toAuthorizeUrl(endpoint: string, { clientId, redirectUri, scopes, isConfidential }: Client): string {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: 'STATE',
    ...(!isConfidential && { code_challenge: 'CODE_CHALLENGE', code_challenge_method: 'S256' }),
  })
  return `${endpoint}?${parameters}`
}

/** Returns the request that exchanges a code for tokens (RFC 6749 §4.1.3), with secrets in variables. */
export function toExchangeRequest(endpoint: string, { clientId, redirectUri, isConfidential }: Client): string {
  return toCommand([
    `curl ${quote(endpoint)}`,
    isConfidential ? `-u "${clientId}:$CLIENT_SECRET"` : `-d client_id=${clientId}`,
    '-d grant_type=authorization_code',
    '--data-urlencode "code=$CODE"',
    `--data-urlencode ${quote(`redirect_uri=${redirectUri}`)}`,
    ...(isConfidential ? [] : ['-d "code_verifier=$CODE_VERIFIER"']),
  ])
}

/** Returns the request for an access token of an unattended app (RFC 6749 §4.4.2). */
export function toClientCredentialsRequest(endpoint: string, clientId = '$CLIENT_ID'): string {
  return toCommand([`curl ${quote(endpoint)}`, `-u "${clientId}:$CLIENT_SECRET"`, '-d grant_type=client_credentials'])
}

const toCommand = (parts: readonly string[]) => parts.join(' \\\n  ')

/** Quotes for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
