import type { Keyring } from '#foundation/secrets/keyring.ts'

/** The purpose of a form token, which is refused for any other. */
export interface FormOf {
  readonly form: 'login' | 'consent' | 'sign-out'
  /** The interaction or browser session, which the browser proves with its cookie. */
  readonly uid: string
  /** The user to whom the form was shown; undefined before sign-in. */
  readonly accountId?: string | undefined
}

/** Returns a token that is included in a form, so that other pages cannot submit it in the user's name (CSRF). */
export function formToken(keyring: Keyring, of: FormOf): string {
  return keyring.sign(spell(of))
}

export function isFormToken(keyring: Keyring, of: FormOf, token: string | null): boolean {
  return token !== null && keyring.verify(spell(of), token)
}

function spell({ form, uid, accountId }: FormOf): string {
  return `form ${JSON.stringify([form, uid, accountId ?? null])}`
}
