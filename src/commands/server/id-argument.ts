import { ClientFailure } from '../../client/failure.ts'
import { isUuid } from '../../client/resources/find-org.ts'

/** Commands that show the ids of a kind of resource. */
const sources = {
  project: 'List ids with "gatehouse projects list".',
  app: 'List ids with "gatehouse apps list".',
  'service account': 'List ids with "gatehouse service-accounts list".',
  key: 'List ids with "gatehouse keys list".',
  import: 'Pass the id that "gatehouse import --no-wait" printed.',
} as const

export type Identified = keyof typeof sources

/** Makes a parser of an argument or option that is an id. It throws `ClientFailure` for other texts. */
export function parseId(noun: Identified): (text: string) => string {
  return (text) => {
    if (isUuid(text)) return text
    throw new ClientFailure(`"${text}" is not ${article(noun)} ${noun} id. ${sources[noun]}`)
  }
}

export function article(noun: Identified): string {
  return /^[ai]/.test(noun) ? 'an' : 'a'
}

/** Makes a parser of an argument that takes several ids. */
export function parseIds(noun: Identified): (text: string, previous?: readonly string[]) => string[] {
  const parse = parseId(noun)
  return (text, previous = []) => [...previous, parse(text)]
}
