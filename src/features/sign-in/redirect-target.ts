/** Where an app gets its answer, as a page says it and as its content policy allows it. */
export interface RedirectTarget {
  readonly words: string
  /** For `form-action`: browsers hold the redirects after a form against it. */
  readonly source: string
}

/** The redirect URI has been checked: it is one of the app's own. */
export function toRedirectTarget(redirectUri: string): RedirectTarget {
  const url = new URL(redirectUri)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { words: `a program on this device (${url.protocol})`, source: url.protocol }
  }
  // The grammar of content policies has no place for IPv6 addresses.
  const source = url.hostname.startsWith('[') ? url.protocol : url.origin
  const isLocal = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\./.test(url.hostname)
  return { words: isLocal ? `a program on this computer (${url.host})` : url.host, source }
}
