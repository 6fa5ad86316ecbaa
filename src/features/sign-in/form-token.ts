import type { Keyring } from '#foundation/secrets/keyring.ts'

/** The purpose of a form; for any other it is refused. */
export interface FormOf {
  readonly form: 'login' | 'consent' | 'sign-out'
  /** The interaction or sign-in session, which the browser proves to hold by its cookie. */
  readonly uid: string
  /** The user to whom the form was shown; undefined before sign-in. */
  readonly accountId?: string | undefined
}

/** Goes into a form, so that no other page can send it in the user's name. */
export function formToken(keyring: Keyring, of: FormOf): string {
  return keyring.sign(spell(of))
}

export function isFormToken(keyring: Keyring, of: FormOf, token: string | null): boolean {
  return token !== null && keyring.verify(spell(of), token)
}

function spell({ form, uid, accountId }: FormOf): string {
  return `form ${JSON.stringify([form, uid, accountId ?? null])}`
}
