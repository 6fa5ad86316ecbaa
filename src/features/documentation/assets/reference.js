// Draws the operations with Swagger UI, from this server's own description.

const dark = matchMedia('(prefers-color-scheme: dark)')
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followTheme)
followTheme()

const place = document.querySelector('#reference')

async function show() {
  const answer = await fetch(new URL('../openapi.json', import.meta.url))
  if (!answer.ok) throw new Error(`openapi.json: ${answer.status}`)
  const spec = await answer.json()
  // Requests go to the address this page came from, whatever the public one is.
  spec.servers = [{ url: new URL('../..', import.meta.url).href.replace(/\/$/, '') }]
  globalThis.SwaggerUIBundle({
    spec,
    domNode: place,
    deepLinking: true,
    displayOperationId: false,
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    docExpansion: 'list',
    filter: true,
    showExtensions: false,
    persistAuthorization: false,
    validatorUrl: null,
  })
}

show().catch((error) => {
  place.textContent = `The operations could not be loaded (${error.message}). Reload the page to try again.`
})
