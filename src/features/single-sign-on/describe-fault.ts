import { cutText } from '#foundation/cut-text.ts'
import { OutgoingFailed, OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { SignInRefused } from './sign-in-refused.ts'

const MAX_LENGTH = 300

/** Describes to administrators why a provider could not be used. Contains no tokens and no secrets. */
export function describeFault(error: unknown): string {
  if (error instanceof SignInRefused) return capitalize(error.reason)
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof OutgoingRefused || cause instanceof OutgoingFailed) return plain(cause.message)
  }
  if (!(error instanceof Error)) return 'The provider could not be used.'
  // Errors of RFC 6749 §4.1.2.1 and §5.2, as the provider sent them.
  const { error: code, error_description: description } = error as { error?: unknown; error_description?: unknown }
  if (typeof code === 'string') {
    return plain(`The provider returned ${code}${typeof description === 'string' ? `: ${description}` : ''}`)
  }
  const { cause } = error
  const isMore = cause instanceof Error && cause.message !== error.message
  return plain(isMore ? `${error.message}: ${cause.message}` : error.message)
}

function plain(text: string): string {
  const line = text.replaceAll(/\p{C}/gu, ' ')
  return capitalize(line.length > MAX_LENGTH ? `${cutText(line, MAX_LENGTH)}…` : line)
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
