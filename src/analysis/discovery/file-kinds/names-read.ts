import { getKind } from './index.ts'
import { kindsOf } from './read-kinds.ts'

/**
 * Lists the files that an ecosystem reads, targets first: the usual name, or the label of a kind that may have any
 * name.
 */
export function namesRead(ecosystem: string): string[] {
  const { target, additional } = kindsOf(ecosystem)
  const names = [...target, ...additional].map((id) => {
    const { names, label } = getKind(id)
    return names?.test(id) ? id : label.replace(/^an? /, '')
  })
  return [...new Set(names)]
}
