import { toProjectName } from '#analysis/ecosystems/python/packaging/project-name.ts'

/**
 * Parses setuptools' `requires.txt`: requirements, then sections `[extra]`, `[extra:marker]` and `[:marker]` with
 * conditional ones. Returns the conditions as markers of PEP 508.
 */
export function requirementsOfEgg(text: string): { requiresDist: string[]; provides: string[] } {
  const requiresDist: string[] = []
  const provides = new Set<string>()
  let condition = ''
  for (const written of text.split(/\r?\n/)) {
    const line = written.trim()
    if (line === '' || line.startsWith('#')) continue
    const section = /^\[([^\]:]*)(?::(.*))?\]$/.exec(line)
    if (section === null) {
      requiresDist.push(withMarker(line, condition))
      continue
    }
    const [, extra = '', marker = ''] = section
    if (extra !== '') provides.add(toProjectName(extra))
    const conditions = extra === '' ? [] : [`extra == "${extra.replaceAll('"', '')}"`]
    condition = [...(marker === '' ? [] : [`(${marker})`]), ...conditions].join(' and ')
  }
  return { requiresDist, provides: [...provides] }
}

function withMarker(requirement: string, condition: string): string {
  if (condition === '') return requirement
  const at = requirement.indexOf(';')
  if (at === -1) return `${requirement} ; ${condition}`
  return `${requirement.slice(0, at)}; (${requirement.slice(at + 1).trim()}) and ${condition}`
}
