// Draws an operation with Swagger UI when it is opened: to draw all of them took seconds of the processor.

const dark = matchMedia('(prefers-color-scheme: dark)')
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followTheme)
followTheme()

const reference = document.querySelector('#reference')
const controls = document.querySelector('#reference-controls')
const key = controls.querySelector('[name=key]')
const filter = controls.querySelector('[name=filter]')
const isStatic = 'static' in reference.dataset
controls.hidden = false

let loading
/** Loads the renderer once. */
function loadRenderer() {
  loading ??= new Promise((resolve, reject) => {
    const style = document.createElement('link')
    style.rel = 'stylesheet'
    style.href = new URL('swagger-ui.css', import.meta.url).href
    document.head.prepend(style)
    const script = document.createElement('script')
    script.src = new URL('swagger-ui-bundle.js', import.meta.url).href
    script.addEventListener('load', () => resolve(globalThis.SwaggerUIBundle))
    script.addEventListener('error', () => reject(new Error('swagger-ui-bundle.js')))
    document.head.append(script)
  })
  return loading
}

async function draw(entry) {
  const place = entry.appendChild(document.createElement('div'))
  place.textContent = 'Loading the operation …'
  const [render, answer] = await Promise.all([
    loadRenderer(),
    fetch(new URL(`../operations/${entry.id}.json`, import.meta.url)),
  ])
  if (!answer.ok) throw new Error(`${entry.id}.json: ${answer.status}`)
  const spec = await answer.json()
  // A server sends requests to the address of this page, whatever the public one is. Static files send none.
  if (!isStatic) spec.servers = [{ url: new URL('../..', import.meta.url).href.replace(/\/$/, '') }]
  place.textContent = ''
  render({
    spec,
    domNode: place,
    displayOperationId: false,
    defaultModelsExpandDepth: -1,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    docExpansion: 'full',
    showExtensions: false,
    validatorUrl: null,
    ...(isStatic ? { supportedSubmitMethods: [] } : {}),
    requestInterceptor(request) {
      if (key && key.value !== '') request.headers['Authorization'] = `token ${key.value}`
      return request
    },
  })
}

reference.addEventListener(
  'toggle',
  ({ target: entry }) => {
    if (!entry.open || entry.dataset.drawn) return
    entry.dataset.drawn = 'yes'
    history.replaceState(null, '', `#${entry.id}`)
    draw(entry).catch((error) => {
      entry.lastElementChild.textContent = `The operation could not be loaded (${error.message}). Reload the page to try again.`
    })
  },
  // It does not bubble.
  true,
)

filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/)
  for (const section of reference.querySelectorAll('section')) {
    const entries = [...section.querySelectorAll('details')]
    for (const entry of entries) {
      const text = `${entry.id} ${entry.firstElementChild.textContent}`.toLowerCase()
      entry.hidden = !words.every((word) => text.includes(word))
    }
    section.hidden = entries.every((entry) => entry.hidden)
  }
})

/** Opens the operation of the address: `#getSelf`, or `#/Tag/getSelf` as earlier pages had it. */
function openTarget() {
  const id = decodeURIComponent(location.hash).split('/').at(-1).replace('#', '')
  const entry = id === '' ? null : reference.querySelector(`details[id="${CSS.escape(id)}"]`)
  if (!entry) return
  entry.open = true
  entry.scrollIntoView()
}
addEventListener('hashchange', openTarget)
openTarget()
