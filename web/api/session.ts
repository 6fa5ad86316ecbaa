const NAME = 'gatehouse-api-key'

/** The key is stored until the tab is closed: never in a cookie, never on disk. */
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

/**
 * Returns the headers that authenticate a request: the tab's key, or the id of the session that the cookie must belong
 * to.
 */
export function credentialHeaders(key = readKey()): Record<string, string> {
  if (key !== undefined) return { authorization: `token ${key}` }
  return sessionId === undefined ? {} : { 'gatehouse-session': sessionId }
}

/** Identifies the credential in use, to detect whether it was replaced. */
export function credentialInUse(): string | undefined {
  return readKey() ?? sessionId
}
