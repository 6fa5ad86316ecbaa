import { ClientFailure } from './failure.ts'

/** The server to use, and the credential for it. */
export interface Connection {
  /** Without a final slash. */
  readonly url: string
  /** An API key; undefined for a browser login, whose tokens are in the profile. */
  readonly key?: string | undefined
  /** The profile that it is taken from; undefined for the environment. */
  readonly profile?: string | undefined
  readonly org?: string | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

interface Choice {
  readonly profile?: Connection | undefined
  readonly org?: string | undefined
  readonly isInsecure: boolean
  /** True for commands that also work without a server. */
  readonly hasLocal?: boolean
}

/** Chooses the connection: environment variables take precedence over the stored profile. */
export function chooseConnection(
  environment: Environment,
  { profile, org, isInsecure, hasLocal = false }: Choice,
): Connection {
  const url = environment['GATEHOUSE_URL'] || profile?.url
  if (url === undefined) {
    const ways = [
      'Set GATEHOUSE_URL and GATEHOUSE_KEY',
      'run "gatehouse login"',
      ...(hasLocal ? ['test with --local'] : []),
    ]
    throw new ClientFailure(`No server is known. ${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}.`)
  }
  const clean = requireServerUrl(url, { isInsecure })
  const chosenOrg = org ?? (environment['GATEHOUSE_ORG'] || undefined)
  const key = environment['GATEHOUSE_KEY']
  if (key) return { url: clean, key: requireKey(key), org: chosenOrg ?? profile?.org }
  // The profile's credential belongs to the profile's server only.
  if (profile?.url === clean) return { ...profile, org: chosenOrg ?? profile.org }
  throw new ClientFailure(`No key for ${clean} is known. Set GATEHOUSE_KEY to an API key of that server.`)
}

/** Returns the key. Throws for texts that no key can be. */
export function requireKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new ClientFailure(
    'The key is empty or holds characters that no key has, such as spaces. Set GATEHOUSE_KEY or store the key again.',
  )
}

/** Returns the URL without a final slash. Throws for URLs that a key must not be sent to. */
export function requireServerUrl(text: string, { isInsecure }: { isInsecure: boolean }): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new ClientFailure('GATEHOUSE_URL is not an http or https URL, such as https://gatehouse.example.')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ClientFailure(
      'GATEHOUSE_URL holds more than an address. Remove credentials, ? and #; the key belongs into GATEHOUSE_KEY.',
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !isInsecure) {
    throw new ClientFailure(
      `The key is not sent to ${url.origin} without encryption. Use https, or allow it with --insecure-http.`,
    )
  }
  return url.href.replace(/\/+$/, '')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
