/** Returns the fault of a challenge or verifier (RFC 7636 §4.1, §4.2); undefined if valid. */
export function faultOfPkceText(name: 'code_challenge' | 'code_verifier', text: string): string | undefined {
  if (text.length < 43) return `${name} must be a string with a minimum length of 43 characters`
  if (text.length > 128) return `${name} must be a string with a maximum length of 128 characters`
  return /^[\w.~-]+$/.test(text) ? undefined : `${name} contains invalid characters`
}
