import { createLines, type Declaration } from '#analysis/ecosystems/declaration.ts'
import type { Manifest } from '#analysis/ecosystems/ecosystem.ts'
import { readWrittenRequirement } from '../packaging/written-requirement.ts'
import { startsOfLines } from '../requirements/logical-lines.ts'
import { readProjectFiles } from '../requirements/project-files.ts'

const MAX_LINES = 200_000

/** Finds the lines that require packages, and after them the constraints, in all files. */
export function locateRequirements(manifest: Manifest): Declaration[] {
  const { requirements, constraints, fileNumbers } = readProjectFiles(manifest, MAX_LINES)
  const open = new Map<Declaration['file'], ReturnType<typeof openFile>>()
  return [...requirements, ...constraints].flatMap(
    ({ parsed: { requirement }, line, file: label, isHashed }): Declaration[] => {
      const file = label === undefined ? 'target' : fileNumbers.get(label)
      const text = file === 'target' ? manifest.target : manifest.additional[file ?? -1]
      if (requirement === undefined || file === undefined || text === undefined) return []
      const { starts, lineOf } = open.get(file) ?? openFile(text)
      open.set(file, { starts, lineOf })
      const start = starts[line - 1] ?? 0
      const declaration = readWrittenRequirement(text.slice(start, starts[line] ?? text.length), start)
      const isPlain = declaration?.name === requirement.project && !isHashed
      return [
        {
          name: requirement.project,
          file,
          fileName: label ?? 'requirements.txt',
          line: lineOf(start),
          ...(isPlain && declaration.range !== undefined && { range: declaration.range }),
        },
      ]
    },
  )
}

function openFile(text: string) {
  return { starts: startsOfLines(text), lineOf: createLines(text) }
}
