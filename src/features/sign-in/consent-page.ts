import { describeScope, isScope } from '#foundation/access/scopes.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import { type FormFault, faultSummary } from './fields.ts'
import { placeFields } from './place-fields.ts'
import type { PlacesOfGroup } from './places.ts'

export interface ConsentPage {
  readonly token: string
  readonly app: { readonly name: string; readonly ownerName: string; readonly context: 'tenant' | 'user' }
  readonly user: { readonly name: string; readonly email: string }
  /** The browser's next address. */
  readonly target: string
  readonly scopes: readonly string[]
  readonly groups: readonly PlacesOfGroup[]
  /** Keys of the selected places. */
  readonly chosen: ReadonlySet<string>
  /** Search text that filters a long list by name. */
  readonly find: string
  readonly faults: readonly FormFault[]
}

/**
 * Renders the consent page. Names from other users are in `bdi`, which confines characters that change the text
 * direction.
 */
export function consentPage(page: ConsentPage): Html {
  const { app, user, target } = page
  const fields = placeFields(page)
  return html`<h1>Authorize ${app.name}?</h1>
    <p class="lead">The app <strong><bdi>${app.name}</bdi></strong>, registered by <strong><bdi>${app.ownerName}</bdi></strong>, asks to work
    in your organizations.</p>
    ${faultSummary(page.faults)}
    <div class="account">
      <p>Signed in as <strong><bdi>${user.name}</bdi></strong> <span class="quiet">${user.email}</span></p>
      <form method="post">
        <input type="hidden" name="token" value="${page.token}">
        <button class="link" name="decision" value="switch">Not you? Use another account</button>
      </form>
    </div>
    <h2>What it may do</h2>
    <ul class="scopes">${page.scopes.filter(isScope).map((scope) => html`<li>${describeScope(scope)} <code>${scope}</code></li>`)}</ul>
    <p class="hint">${
      app.context === 'user'
        ? 'It acts as you: the audit log records its actions under your name. It never has more permissions than you.'
        : 'It acts as itself: the audit log records its actions under its own name. It never has more permissions than you.'
    }</p>
    <form method="post">
      <input type="hidden" name="token" value="${page.token}">
      <h2 id="where">Where it may do so</h2>
      ${fields.markup}
      <p class="hint">Afterward you return to <strong>${target}</strong>. You can take this back at any time, in the
      <a href="/console/apps">console</a>.</p>
      <div class="actions">
        ${fields.isPossible ? html`<button name="decision" value="allow">Allow</button>` : html``}
        <button name="decision" value="refuse" class="second">Refuse</button>
      </div>
    </form>`
}
