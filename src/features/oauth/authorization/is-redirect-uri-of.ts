/**
 * Returns true if a redirect URI was registered literally (RFC 9700 §4.1.3). A public app, which runs on users'
 * machines, may use another port of the same loopback address (RFC 8252 §7.3).
 */
export function isRedirectUriOf(
  app: { readonly redirectUris: readonly string[]; readonly isConfidential: boolean },
  uri: string,
): boolean {
  if (app.redirectUris.includes(uri)) return true
  if (app.isConfidential) return false
  const requested = withoutLoopbackPort(uri)
  return requested !== undefined && app.redirectUris.some((registered) => withoutLoopbackPort(registered) === requested)
}

/**
 * Removes the port. Undefined for any address other than http on 127.0.0.1 or [::1], since `localhost` may resolve to
 * another machine (RFC 8252 §8.3), and for an invalid port.
 */
function withoutLoopbackPort(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined
  const [, host, rest] = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/[^\s]*)?$/.exec(uri) ?? []
  return host === undefined ? undefined : `${host}${rest ?? ''}`
}
