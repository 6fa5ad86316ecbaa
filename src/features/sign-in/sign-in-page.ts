import { type Html, html } from '#foundation/pages/html.ts'
import { type FormFault, faultSummary, textField } from './fields.ts'

export interface SignInPage {
  readonly token: string
  readonly appName: string
  /** True if browsers can use passkeys on this server. */
  readonly hasPasskeys: boolean
  /** True if a group of this server has an identity provider. */
  readonly hasProviders: boolean
  /** The previous input, or the hint of the app. */
  readonly email: string
  readonly faults: readonly FormFault[]
}

export const MAX_EMAIL_LENGTH = 320
export const MAX_PASSWORD_LENGTH = 1024

export function signInPage({ token, appName, hasPasskeys, hasProviders, email, faults }: SignInPage): Html {
  const isPasswordNext = email !== '' && !faults.some(({ field }) => field === 'email')
  const emailInput = html`type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="${MAX_EMAIL_LENGTH}"`
  const passwordInput = html`type="password" autocomplete="current-password" maxlength="${MAX_PASSWORD_LENGTH}"`
  return html`<h1>Sign in</h1>
    <p class="lead">to continue to <strong><bdi>${appName}</bdi></strong>. You decide next what it may do.</p>
    ${faultSummary(faults)}
    <form method="post">
      <input type="hidden" name="token" value="${token}">
      ${textField({ id: 'email', label: 'E-mail address', input: emailInput, value: email, isFirst: isPasswordNext ? undefined : true }, faults)}
      ${textField({ id: 'password', label: 'Password', input: passwordInput, isFirst: isPasswordNext ? true : undefined }, faults)}
      <div class="actions">
        <button name="decision" value="sign-in">Sign in</button>
        ${hasProviders ? html`<button name="decision" value="single-sign-on" class="second" formnovalidate>Single sign-on</button>` : html``}
        ${hasPasskeys ? html`<button name="decision" value="passkey" class="second" formnovalidate>Use a passkey</button>` : html``}
        <button name="decision" value="cancel" class="second" formnovalidate>Cancel</button>
      </div>
    </form>`
}
