const NAME = 'gatehouse-api-key'

/** The key lives as long as the tab: never in a cookie, never on disk. */
export function readKey(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined
}

export function keepKey(key: string): void {
  sessionStorage.setItem(NAME, key)
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME)
}

let sessionId: string | undefined

/** Sets the id of the browser's session; its secret is in a cookie that scripts cannot read. */
export function setSession(id: string | undefined): void {
  sessionId = id
}

/** Returns headers that show who asks: the tab's key, or else the session that the cookie must belong to. */
export function credentialHeaders(key = readKey()): Record<string, string> {
  if (key !== undefined) return { authorization: `token ${key}` }
  return sessionId === undefined ? {} : { 'gatehouse-session': sessionId }
}

/** Names the credential in use, to tell whether it was replaced. */
export function credentialInUse(): string | undefined {
  return readKey() ?? sessionId
}
