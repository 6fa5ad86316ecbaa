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
  /** Keys of the places that are ticked. */
  readonly chosen: ReadonlySet<string>
  /** Part of a name that narrows a long list. */
  readonly find: string
  readonly faults: readonly FormFault[]
}

/** Names that others chose stand in `bdi`: characters that turn the direction of writing end there. */
export function consentPage(page: ConsentPage): Html {
  const { app, user, target } = page
  const fields = placeFields(page)
  return html`<h1>Let ${app.name} in?</h1>
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
        ? 'It acts as you: what it does is written down under your name. It can never do more than you can.'
        : 'It acts as itself: what it does is written down under its own name. It can never do more than you can.'
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
