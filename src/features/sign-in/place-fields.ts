import { permissions } from '#foundation/access/permissions.ts'
import { type Html, html } from '#foundation/pages/html.ts'
import type { FormFault } from './fields.ts'
import { type ConsentTarget, type PlacesOfGroup, possiblePlaces } from './places.ts'

interface Choice {
  readonly groups: readonly PlacesOfGroup[]
  readonly chosen: ReadonlySet<string>
  readonly find: string
  readonly faults: readonly FormFault[]
}

/** Maximum number of places that are listed without a search. */
const MANY = 30
const MAX_LISTED = 100
const MAX_IMPOSSIBLE = 20

/** Renders the places as check boxes by group. Selected places stay visible whatever the search text. */
export function placeFields({ groups, chosen, find, faults }: Choice): { markup: Html; isPossible: boolean } {
  const possible = possiblePlaces(groups)
  const impossible = groups.flatMap(({ orgs }) => orgs).filter(({ missing }) => missing.length > 0)
  if (possible.length === 0) return { markup: nowhere(impossible), isPossible: false }
  const listed = toListed(possible, { chosen, find })
  const isMany = possible.length > MANY
  const wrong = faults.filter(({ field }) => field === 'places')
  return {
    isPossible: true,
    markup: html`<p class="hint">It gets access only to the places that you choose, where you must have all of
      these permissions yourself.</p>
      ${wrong.map(({ text }) => html`<p class="wrong" id="places-wrong">${text}</p>`)}
      ${isMany ? searchField(find) : html``}
      <div id="places" tabindex="-1">
        ${groups.map((group) => groupFields(group, listed, chosen))}
      </div>
      ${listed.hidden > 0 ? html`<p class="hint">${hiddenWords(listed.hidden, find)}</p>` : html``}
      ${impossible.length > 0 ? impossibleList(impossible) : html``}`,
  }
}

interface Listed {
  readonly keys: ReadonlySet<string>
  readonly hidden: number
}

function toListed(
  possible: readonly ConsentTarget[],
  { chosen, find }: { chosen: ReadonlySet<string>; find: string },
): Listed {
  const words = find.trim().toLowerCase()
  const keys = new Set<string>()
  let open = MAX_LISTED
  for (const { key, name, orgId } of possible) {
    const isAlways = chosen.has(key) || orgId === null
    const isMatch = name.toLowerCase().includes(words) && open > 0
    if (!isAlways && !isMatch) continue
    if (!isAlways) open--
    keys.add(key)
  }
  return { keys, hidden: possible.length - keys.size }
}

function hiddenWords(hidden: number, find: string): string {
  const more = hidden === 1 ? 'One more organization is' : `${hidden} more organizations are`
  return find.trim() === '' ? `${more} not shown: search by name.` : `${more} not shown: search for another name.`
}

/** The search button comes first in the form, so that the Enter key searches and does not consent. */
function searchField(find: string): Html {
  return html`<div class="search" role="search">
    <label for="find">Search by name</label>
    <input id="find" name="find" type="text" value="${find}" maxlength="100" autocomplete="off" spellcheck="false">
    <button name="decision" value="find" class="second">Search</button>
  </div>`
}

function groupFields({ name, whole, orgs }: PlacesOfGroup, listed: Listed, chosen: ReadonlySet<string>): Html {
  const shown = orgs.filter(({ key }) => listed.keys.has(key))
  const isWhole = whole !== undefined && listed.keys.has(whole.key)
  if (shown.length === 0 && !isWhole) return html``
  return html`<fieldset>
    <legend>${name}</legend>
    ${isWhole ? wholeGroup(whole, chosen) : html``}
    <ul class="choices">${shown.map((place) => html`<li class="choice">${checkBox(place, chosen, place.name)}</li>`)}</ul>
  </fieldset>`
}

function wholeGroup(place: ConsentTarget, chosen: ReadonlySet<string>): Html {
  return html`<div class="choice whole">
    ${checkBox(place, chosen, 'The whole group')}
    <p class="hint">All of its organizations, including those created later.</p>
  </div>`
}

function checkBox({ key }: ConsentTarget, chosen: ReadonlySet<string>, label: string): Html {
  const checked = chosen.has(key) ? html` checked` : html``
  return html`<input type="checkbox" id="${key}" name="place" value="${key}"${checked}><label for="${key}">${label}</label>`
}

function impossibleList(places: readonly ConsentTarget[]): Html {
  const words = places.length === 1 ? 'one organization' : `${places.length} organizations`
  const rest = places.length - MAX_IMPOSSIBLE
  return html`<details>
    <summary>Not possible in ${words}, where your role lacks a permission</summary>
    <ul>${places.slice(0, MAX_IMPOSSIBLE).map(({ name, missing }) => html`<li><strong><bdi>${name}</bdi></strong>: ${lacking(missing)}</li>`)}
    ${rest > 0 ? html`<li>and ${rest} more</li>` : html``}</ul>
  </details>`
}

function lacking(missing: ConsentTarget['missing']): Html {
  const [first, ...others] = missing
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return html`you may not “${first === undefined ? '' : permissions[first]}” (<code>${first ?? ''}</code>)${more}`
}

function nowhere(impossible: readonly ConsentTarget[]): Html {
  return html`<p>You cannot authorize this app in any organization: you need all of the permissions above there. Ask an
    administrator of your organization for a role that has them, or to authorize the app.</p>
    ${impossible.length > 0 ? impossibleList(impossible) : html``}`
}
