import { serverPaths } from '../navigation/paths.ts'
import { Refusal } from './refusal.ts'

/** A page of the documentation, or a part of one. */
export interface DocumentationEntry {
  readonly title: string
  /** The page of a part, or the section of a page. */
  readonly section: string
  /** Relative to the first page. */
  readonly url: string
}

/** Lists the pages of the documentation and the headings of guides, as its build writes them. */
export async function listDocumentation(): Promise<readonly DocumentationEntry[]> {
  const response = await fetch(`${serverPaths.documentation}/assets/pages.json`)
  if (!response.ok) throw new Refusal(response.status, 'no-error-document', [{ detail: response.statusText }])
  return response.json()
}
