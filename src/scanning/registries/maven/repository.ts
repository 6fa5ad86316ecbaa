import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'

export interface Repository {
  /** Without credentials, and without a slash at its end. */
  readonly url: string
  readonly authorization: string | undefined
}

/**
 * Creates a repository. Credentials in its base URL are the operator's: content read with them would be cached for
 * every caller that names the repository.
 */
export function toRepository(
  base: string,
  { mayHoldCredentials }: { readonly mayHoldCredentials: boolean },
): Repository {
  const url = URL.parse(base)
  if (!url || !/^https?:$/.test(url.protocol)) throw new RegistryUnreachable('a repository is named by no web address')
  if (url.username === '' && url.password === '') return { url: withoutEnd(url), authorization: undefined }
  if (!mayHoldCredentials) throw new RegistryUnreachable(`credentials in the address of ${url.host} are not used`)
  const credentials = [url.username, url.password].map(decodeURIComponent).join(':')
  url.username = ''
  url.password = ''
  return { url: withoutEnd(url), authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

function withoutEnd(url: URL): string {
  url.hash = ''
  url.search = ''
  return url.href.replace(/\/+$/, '')
}
