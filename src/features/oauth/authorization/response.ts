import type { AuthorizationFault, Recipient } from './request.ts'

/** The response to the app: a code (RFC 6749 §4.1.2) or an error (§4.1.2.1). */
export type AuthorizationAnswer = { readonly code: string } | AuthorizationFault

/** Returns the redirect to an app with the response, its state and this issuer (RFC 9207 §2). */
export function toResponseUrl(
  { redirect_uri, state, response_type }: Recipient,
  answer: AuthorizationAnswer,
  issuer: string,
): string {
  const told = 'code' in answer ? answer : toErrorParameters(answer)
  const url = new URL(redirect_uri)
  const parameters = { ...told, ...(state !== undefined && { state }), iss: issuer }
  // An app that requested tokens reads the fragment (OAuth 2.0 Multiple Response Types §5).
  if (response_type?.includes('token')) url.hash = new URLSearchParams(parameters).toString()
  else for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function toErrorParameters({ error, description, scope }: AuthorizationFault): Record<string, string> {
  return {
    error,
    ...(description !== undefined && { error_description: description }),
    ...(scope !== undefined && { scope }),
  }
}
