import type { AuthorizationFault, Recipient } from './request.ts'

/** The response to the app: a code (RFC 6749 §4.1.2) or an error (§4.1.2.1). */
export type AuthorizationAnswer = { readonly code: string } | AuthorizationFault

/** Returns the redirect to an app with the response, its state and this issuer (RFC 9207 §2). */
export function toResponseUrl(
  { redirect_uri, state, response_type }: Recipient,
  answer: AuthorizationAnswer,
  issuer: string,
): string {
  const fields = 'code' in answer ? answer : toErrorParameters(answer)
  const parameters = new URLSearchParams({ ...fields, ...(state !== undefined && { state }), iss: issuer }).toString()
  const uri = toHeaderText(redirect_uri).split('#', 1)[0]!
  // An app that requested tokens reads the fragment (OAuth 2.0 Multiple Response Types §5).
  if (response_type?.includes('token')) return `${uri}#${parameters}`
  return `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${parameters}`
}

/** Keeps the URI with its query byte for byte (RFC 6749 §3.1.2), unless a header cannot hold it. */
function toHeaderText(uri: string): string {
  return /^[\x21-\x7e]+$/.test(uri) ? uri : new URL(uri).href
}

function toErrorParameters({ error, description, scope }: AuthorizationFault): Record<string, string> {
  return {
    error,
    ...(description !== undefined && { error_description: description }),
    ...(scope !== undefined && { scope }),
  }
}
