export interface Location {
  /** Path below the base of the router, with a leading slash. */
  readonly pathname: string
  /** Empty, or with a leading question mark. */
  readonly search: string
  readonly hash: string
}

/** The visited addresses. */
export interface History {
  read(): Location
  push(location: Location): void
  replace(location: Location): void
  go(steps: number): void
  /** Calls back when the user goes back or forward. */
  listen(listener: () => void): void
}

/** Returns the browser's own history below a base path. */
export function browserHistory(base: string): History {
  const href = ({ pathname, search, hash }: Location) => `${base}${pathname}${search}${hash}`
  return {
    read() {
      const { pathname, search, hash } = window.location
      return { pathname: pathname.slice(base.length) || '/', search, hash }
    },
    push: (location) => window.history.pushState(null, '', href(location)),
    replace: (location) => window.history.replaceState(null, '', href(location)),
    go: (steps) => window.history.go(steps),
    listen(listener) {
      window.addEventListener('popstate', listener)
    },
  }
}

/** Reads an address below the base. An address with a leading question mark stays on the same page. */
export function toLocation(to: string, from: Location): Location {
  const { pathname, search, hash } = new URL(to, `http://console${from.pathname}`)
  return { pathname, search, hash }
}

export function isSameLocation(one: Location, other: Location): boolean {
  return one.pathname === other.pathname && one.search === other.search && one.hash === other.hash
}

/** Returns parameters of an address with changes; undefined removes one. */
export function withParameters(
  parameters: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const changed = new URLSearchParams(parameters)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.delete(name)
    else changed.set(name, value)
  }
  return changed
}
