const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the fault of a redirect URI; undefined if valid. URIs are compared literally (RFC 9700 §2.1), so they are
 * stored as written. Allows https; http for loopback hosts, where the request does not leave the machine (RFC 8252
 * §7.3); and for public clients a private-use scheme, a reversed domain name (RFC 8252 §7.1), since any program may
 * claim a scheme and receive the code.
 */
export function faultOfRedirectUri(uri: string, { isConfidential }: { isConfidential: boolean }): string | undefined {
  // RFC 6749 §3.1.2
  if (uri.includes('#')) return 'must not have a fragment'
  // RFC 3986 §2
  if (!/^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/.test(uri)) return 'must be a URI, with other characters percent-encoded'
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  const url = URL.parse(uri)
  if (scheme === undefined || !url) return 'must be an absolute URI'
  if (scheme === 'https' || scheme === 'http') return faultOfWebUri(uri, url)
  if (!scheme.includes('.')) {
    return 'must begin with https://, with http:// and a loopback host, or with a private-use scheme such as com.example.app:'
  }
  return isConfidential ? 'must be https: only apps with is_confidential false may use a private-use scheme' : undefined
}

function faultOfWebUri(uri: string, { protocol, username, password, hostname }: URL): string | undefined {
  if (!/^https?:\/\/[^/?]/i.test(uri)) return 'must have a host after //'
  if (username !== '' || password !== '' || /^https?:\/\/[^/?]*@/i.test(uri)) return 'must not have user information'
  if (hostname.includes('*')) return 'must not contain wildcards'
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return undefined
  return 'must be https; http is for loopback hosts only (localhost, 127.0.0.1, [::1])'
}
