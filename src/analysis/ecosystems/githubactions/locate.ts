import type { Declaration } from '../declaration.ts'
import type { Manifest } from '../ecosystem.ts'
import { parseWorkflow } from './uses.ts'

/** Finds the lines that use actions, with the references that can be replaced. */
export function locate({ target }: Manifest): readonly Declaration[] {
  return parseWorkflow(target).uses.flatMap(({ text, line, reference }): Declaration[] => {
    const name = /^\s*(\w[\w-]*\/[\w.-]+)/.exec(text)?.[1]
    if (name === undefined) return []
    const range = reference && { ...reference, text: target.slice(reference.start, reference.end) }
    return [{ name, file: 'target', line, ...(range && { range }) }]
  })
}
