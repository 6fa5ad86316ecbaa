import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { versionSchemes } from '#analysis/versions/index.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'
import { judgeLines } from '#test/manifests/version-lines.ts'
import { corpusLacks } from '../corpus/folder.ts'
import type { CompareSettings, Comparison } from './comparison.ts'

const files: Readonly<Record<VersionScheme['id'], string>> = {
  npm: 'npm',
  go: 'go',
  pep440: 'pypi',
  rubygems: 'rubygems',
  maven: 'maven',
}

/** The lines in `versions` of the corpus. */
export function versionLineComparisons({ manifests }: CompareSettings): Comparison[] {
  const folder = path.join(manifests, '../versions')
  return Object.values(versionSchemes).map((scheme) => ({
    ecosystem: scheme.id,
    what: 'order of versions',
    reference: 'lines of osv-scalibr',
    missing: () => corpusLacks('versions'),
    async run() {
      const text = readFileSync(path.join(folder, `${files[scheme.id]}.txt`), 'utf8')
      const { judged, mismatches } = judgeLines(scheme, text)
      const project = `${files[scheme.id]}.txt`
      return [{ project, files: 1, packages: 2 * judged, lines: judged, onlyOurs: [], onlyTheirs: mismatches }]
    },
  }))
}

export interface ReferenceAnswer {
  readonly scheme: string
  readonly kind: string
  readonly reference: string
  readonly pairs: number
  readonly faults: number
}

/** Runs `versions-against-references.ts` with that many pairs of each kind. */
export function askReferences(pairs: number, python: string): ReferenceAnswer[] {
  const tool = path.join(import.meta.dirname, '../versions-against-references.ts')
  const parameters = [tool, '--pairs', String(pairs), '--python', python]
  const { stdout, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (!stdout.includes('| scheme |')) throw new Error(`versions-against-references.ts failed: ${stderr.slice(-500)}`)
  const rows = stdout
    .split('\n')
    .flatMap((line) => (line.includes('| ') ? [line.split('|').map((cell) => cell.trim())] : []))
  return rows
    .slice(1)
    .flatMap(([, scheme = '', kind = '', reference = '', count = '', mismatches = '', other = '']) =>
      scheme.startsWith('-')
        ? []
        : [{ scheme, kind, reference, pairs: Number(count), faults: Number(mismatches) + Number(other) }],
    )
}
