import { createHash } from 'node:crypto'
import type { PyPiContent, PyPiContentVersion } from './pypi-content.ts'

/** An index's answer to a path below its base: project pages in JSON and metadata of wheels; undefined for 404. */
export function answerOfIndex(content: PyPiContent, path: string): string | undefined {
  const [place, project = '', file = ''] = path.split('/').filter((part) => part !== '')
  const versions = Object.hasOwn(content, project) ? content[project] : undefined
  if (versions === undefined || versions === 'unreachable') return undefined
  if (place === 'simple') return toPage(project, versions)
  const [, number = ''] = /^[^-]+-([^-]+)-.*\.metadata$/.exec(file) ?? []
  const release = Object.hasOwn(versions, number) ? versions[number] : undefined
  return release === undefined ? undefined : toMetadata(project, number, release)
}

function toPage(project: string, versions: Readonly<Record<string, PyPiContentVersion>>): string {
  const files = Object.entries(versions).flatMap(([number, version]) => {
    const { files: ends = ['-py3-none-any.whl'], yanked = false, python } = version
    const sha256 = createHash('sha256')
      .update(toMetadata(project, number, version))
      .digest('hex')
    return ends.map((end) => {
      const filename = `${project.replaceAll('-', '_')}-${number}${end}`
      return {
        filename,
        url: `../../files/${project}/${filename}`,
        hashes: { sha256: '0'.repeat(64) },
        yanked,
        'core-metadata': end.endsWith('.whl') && { sha256 },
        ...(python === undefined ? {} : { 'requires-python': python }),
      }
    })
  })
  return JSON.stringify({ meta: { 'api-version': '1.1' }, name: project, files })
}

function toMetadata(project: string, number: string, version: PyPiContentVersion): string {
  const { requires, extras = [], python, license } = version
  const requirements = Array.isArray(requires) ? (requires as readonly string[]) : []
  return [
    'Metadata-Version: 2.1',
    `Name: ${project}`,
    `Version: ${number}`,
    ...(license === undefined ? [] : [`License-Expression: ${license}`]),
    ...(python === undefined ? [] : [`Requires-Python: ${python}`]),
    ...extras.map((extra) => `Provides-Extra: ${extra}`),
    ...requirements.map((requirement) => `Requires-Dist: ${requirement}`),
    '',
    '',
  ].join('\n')
}
