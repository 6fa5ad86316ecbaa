import { ClientFailure } from './failure.ts'

/** The server to use, and the credential for it. */
export interface Connection {
  /** Without a final slash. */
  readonly url: string
  readonly key: string
  readonly org?: string | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Chooses the connection: environment variables take precedence over the stored profile. */
export function chooseConnection(
  environment: Environment,
  { profile, org, isInsecure }: { profile?: Connection | undefined; org?: string | undefined; isInsecure: boolean },
): Connection {
  const url = environment['GATEHOUSE_URL'] || profile?.url
  if (url === undefined) {
    throw new ClientFailure(
      'No server is known. Set GATEHOUSE_URL and GATEHOUSE_KEY, run "gatehouse login", or test with --local.',
    )
  }
  const clean = requireServerUrl(url, { isInsecure })
  // The profile's key belongs to the profile's server only.
  const key = environment['GATEHOUSE_KEY'] || (profile?.url === clean ? profile.key : undefined)
  if (key === undefined) {
    throw new ClientFailure(`No key for ${clean} is known. Set GATEHOUSE_KEY to an API key of that server.`)
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ClientFailure('GATEHOUSE_KEY holds characters that a key never has, such as spaces. Set it again.')
  }
  return { url: clean, key, org: org ?? (environment['GATEHOUSE_ORG'] || profile?.org) }
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
