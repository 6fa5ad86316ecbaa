import { globSync } from 'node:fs'
import path from 'node:path'

const ecosystems = path.join(import.meta.dirname, '../../src/analysis/ecosystems')

/** Returns the folder of an ecosystem's golden cases, which is in the folder of its family. */
export function fixturesOf(ecosystem: string): string {
  const [folder] = globSync(`**/${ecosystem}/fixtures`, { cwd: ecosystems })
  if (folder === undefined) throw new Error(`${ecosystem} has no folder of fixtures`)
  return path.join(ecosystems, folder)
}
