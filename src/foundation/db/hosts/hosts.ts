/** The servers that a connection URL names, one of which is the primary. */
export interface Hosts {
  readonly count: number
  /** Returns the connection URL of the server to try. */
  current(): string
  /** Moves on from a server that failed or is not the primary, unless another caller has done so. */
  leave(url: string): void
}

const FORM = /^(?<start>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>.*)$/s
const SESSION = 'target_session_attrs'

/**
 * Returns one URL per server of a URL with several: `postgres://user@one:5432,two/db`. libpq reads the same form
 * (https://www.postgresql.org/docs/current/libpq-connect.html, "Specifying Multiple Hosts"); the driver does not.
 * Throws if the URL asks for another server than the primary.
 */
export function splitHosts(url: string): string[] {
  const { start, hosts, rest } = FORM.exec(url)?.groups ?? {}
  if (start === undefined || hosts === undefined || rest === undefined) return [url]
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(.*)$/s.exec(rest)!
  const parameters = new URLSearchParams(query)
  const target = parameters.get(SESSION)
  if (target === null) return hosts.split(',').map((host) => `${start}${host}${rest}`)
  if (target !== 'read-write' && target !== 'primary') {
    throw new Error(`must not have ${SESSION}=${target}: only the primary can be used (read-write or primary)`)
  }
  // The driver does not support this parameter.
  parameters.delete(SESSION)
  const left = parameters.size === 0 ? '' : `?${parameters}`
  return hosts.split(',').map((host) => `${start}${host}${path}${left}${fragment}`)
}

/**
 * Names the mode that the driver uses for `prefer`, `require` and `verify-ca`, because its next major version is to
 * verify less with them. `uselibpqcompat=true` asks for libpq's meaning.
 */
function withExactMode(url: string): string {
  const query = /\?[^#]*/.exec(url)?.[0] ?? ''
  if (new URLSearchParams(query).get('uselibpqcompat') === 'true') return url
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/, '$1verify-full')
}

/** Starts with the first server, and stays with the one that last worked. */
export function createHosts(url: string): Hosts {
  const urls = splitHosts(url).map(withExactMode)
  let at = 0
  return {
    count: urls.length,
    current: () => urls[at]!,
    leave(failed) {
      if (failed === urls[at]) at = (at + 1) % urls.length
    },
  }
}

/** A URL of one server, which need not be a primary. */
export function onlyHost(url: string): Hosts {
  return { count: 1, current: () => withExactMode(url), leave() {} }
}

/** Calls `connect` until it succeeds, at most once for each server. */
export async function connectToPrimary<T>(hosts: Hosts, connect: (url: string) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const url = hosts.current()
    try {
      return await connect(url)
    } catch (error) {
      hosts.leave(url)
      if (attempt >= hosts.count) throw error
    }
  }
}
