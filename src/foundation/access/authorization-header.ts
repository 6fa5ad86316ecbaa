/**
 * Returns the credential of an `Authorization` header: `token KEY`, `Bearer TOKEN` (scheme in any case, RFC 9110 §11.1)
 * or the bare key. Undefined if the header has none of these forms.
 */
export function parseAuthorization(header: string): string | undefined {
  const parts = /^\s*(?:(token|bearer)\s+)?([^\s,]{1,8192})\s*$/i.exec(header)
  return parts?.[2]
}
