/** A refused sign-in by a provider. `reason` is for administrators, `advice` for the user. */
export class SignInRefused extends Error {
  readonly reason: string
  readonly advice: string

  constructor(reason: string, advice: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.reason = reason
    this.advice = advice
  }
}
