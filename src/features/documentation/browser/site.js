// Search and copy buttons. Without this script the pages are complete: the field is hidden, code can be selected.

const MAX_HITS = 20
const EXCERPT = 140
const search = document.querySelector('#site-search')
const field = search.querySelector('input')
const hits = search.querySelector('.hits')
const [status, list] = hits.children
/** The first page of the documentation: the address of this script is below it. */
const home = new URL('..', import.meta.url)
search.hidden = false

let loading
/** Loads the index once, when the field is first used. */
function loadIndex() {
  loading ??= fetch(new URL('search.json', import.meta.url))
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`search.json: ${answer.status}`))))
    .catch((error) => {
      loading = undefined
      throw error
    })
  return loading
}

/** Counts for a word: at the start of a title more than inside it, there more than in the text. 0 if it is absent. */
function weigh(word, title, text) {
  const at = title.indexOf(word)
  if (at === 0) return 12
  if (at > 0) return /\W/.test(title[at - 1]) ? 9 : 6
  const inText = text.indexOf(word)
  if (inText < 0) return 0
  return inText === 0 || /\W/.test(text[inText - 1]) ? 2 : 1
}

function rank(entries, query) {
  const phrase = query.toLowerCase()
  const words = phrase.split(/\s+/).filter(Boolean)
  const ranked = entries.flatMap((entry) => {
    const title = entry.title.toLowerCase()
    const text = `${entry.section} ${entry.text}`.toLowerCase()
    const weights = words.map((word) => weigh(word, title, text))
    if (weights.includes(0)) return []
    const sum = weights.reduce((one, other) => one + other)
    return [
      {
        entry,
        words,
        weight: sum + preferenceOf(entry.url) + (text.includes(phrase) ? 3 : 0) + (title === phrase ? 10 : 0),
      },
    ]
  })
  return ranked.sort((one, other) => other.weight - one.weight)
}

/** Guides come before lists, and pages before their parts. */
function preferenceOf(url) {
  return (/^(?:api|choices|errors)\//.test(url) ? 0 : 6) + (url.includes('#') ? 0 : 1)
}

/** The text around the first word that it has, with the words marked. */
function excerptOf({ text }, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const begin = first < 40 ? 0 : text.indexOf(' ', first - 40) + 1
  const part = text.slice(begin, begin + EXCERPT)
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const pieces = part.split(new RegExp(`(${pattern})`, 'gi')).map((piece, at) => {
    if (at % 2 === 0) return piece
    const mark = document.createElement('mark')
    mark.textContent = piece
    return mark
  })
  return [begin > 0 ? '… ' : '', ...pieces, begin + EXCERPT < text.length ? ' …' : '']
}

function toItem({ entry, words }) {
  const item = document.createElement('li')
  const link = item.appendChild(document.createElement('a'))
  link.href = new URL(entry.url, home).href
  const title = link.appendChild(document.createElement('strong'))
  title.textContent = entry.title
  const section = link.appendChild(document.createElement('small'))
  section.textContent = entry.section
  link.appendChild(document.createElement('span')).append(...excerptOf(entry, words))
  return item
}

async function show() {
  const query = field.value.trim()
  hits.hidden = query === ''
  if (query === '') return list.replaceChildren()
  try {
    const ranked = rank(await loadIndex(), query)
    if (field.value.trim() !== query) return
    const shown = ranked.slice(0, MAX_HITS)
    status.textContent =
      ranked.length === 0
        ? `Nothing found for “${query}”.`
        : `${ranked.length} results${ranked.length > MAX_HITS ? `, the best ${MAX_HITS}` : ''}`
    list.replaceChildren(...shown.map(toItem))
  } catch (error) {
    status.textContent = `The search index could not be loaded (${error.message}). Try again.`
  }
}

function close() {
  field.value = ''
  show()
  field.focus()
}

field.addEventListener('focus', () => loadIndex().catch(() => {}))
field.addEventListener('input', show)
search.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  const moves = { ArrowDown: links[at + 1], ArrowUp: at > 0 ? links[at - 1] : field }
  if (event.key === 'Escape') close()
  else if (event.key === 'Enter' && at < 0) links[0]?.click()
  else if (event.key in moves) moves[event.key]?.focus()
  else return
  event.preventDefault()
})
// A hit on this page changes only the hash.
list.addEventListener('click', () => {
  hits.hidden = true
})
document.addEventListener('click', ({ target }) => {
  if (!search.contains(target)) hits.hidden = true
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, select')) return
  event.preventDefault()
  field.focus()
})

for (const sample of document.querySelectorAll('.sample')) {
  const code = sample.querySelector('code')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', async () => {
    try {
      // The clipboard is only available on secure origins.
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = 'Copied'
    } catch {
      getSelection().selectAllChildren(code)
      button.textContent = 'Selected: press Ctrl+C'
    }
    setTimeout(() => (button.textContent = 'Copy'), 3000)
  })
  sample.querySelector('figcaption').append(button)
}
