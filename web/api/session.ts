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
