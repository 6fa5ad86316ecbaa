import type { SignInRefused } from '#features/single-sign-on/sign-in-refused.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import { html } from '#foundation/pages/html.ts'
import type { Sheet } from '#foundation/pages/sheet.ts'

/** The same page for unknown, used and expired responses, and for those of another browser. */
export function unknownSignOnPage(baseUrl: string): Sheet {
  return page(baseUrl, 400, [
    'This response of the identity provider has expired, was already used, or belongs to another browser.',
    'If this page appears again, allow cookies for this site.',
  ])
}

/** The page after a failed sign-in. Details are only for administrators. */
export function failedPage(
  baseUrl: string,
  { provider, refused }: { provider: { readonly name: string }; refused: SignInRefused | undefined },
): Sheet {
  const advice = refused?.advice ?? 'Try again. If it fails again, ask an administrator: the reason is in the settings.'
  return page(baseUrl, 403, [`Single sign-on with ${provider.name} failed.`, advice])
}

/** The page for a provider that could not be reached at the start of a sign-in. */
export function unreachablePage(baseUrl: string, { name }: { readonly name: string }): Sheet {
  return page(baseUrl, 502, [
    `The identity provider ${name} did not respond as expected.`,
    'Try again in a few minutes. If it fails again, ask an administrator.',
  ])
}

function page(baseUrl: string, status: number, paragraphs: readonly string[]): Sheet {
  return {
    status,
    title: 'Not signed in',
    content: html`<h1>Not signed in</h1>
    ${paragraphs.map((text) => html`<p>${text}</p>`)}
    <p><a href="${basePathOf(baseUrl)}/console/">Back to the sign-in</a></p>`,
  }
}
