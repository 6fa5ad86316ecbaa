/** The target of the redirect to an app. */
export interface RedirectTarget {
  /** Description on pages. */
  readonly words: string
  /** Scheme of a local program; undefined for web addresses. */
  readonly scheme?: string
}

/** Describes a redirect URI that was checked to be one of the app's. */
export function toRedirectTarget(redirectUri: string): RedirectTarget {
  const { protocol, hostname, host } = new URL(redirectUri)
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { words: `a program on this device (${protocol})`, scheme: protocol }
  }
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
  return { words: isLocal ? `a program on this computer (${host})` : host }
}
