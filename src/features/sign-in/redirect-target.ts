/** The target of an app's answer. */
export interface RedirectTarget {
  /** As a page says it. */
  readonly words: string
  /** Scheme of a local program; undefined for web addresses. */
  readonly scheme?: string
}

/** The redirect URI has been checked: it is one of the app's own. */
export function toRedirectTarget(redirectUri: string): RedirectTarget {
  const { protocol, hostname, host } = new URL(redirectUri)
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { words: `a program on this device (${protocol})`, scheme: protocol }
  }
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
  return { words: isLocal ? `a program on this computer (${host})` : host }
}
