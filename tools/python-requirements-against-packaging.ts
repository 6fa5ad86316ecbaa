/**
 * Holds our reading of dependency specifiers and our judging of markers (PEP 508) against Python's `packaging` library,
 * over generated texts.
 *
 *     node tools/python-requirements-against-packaging.ts --python <python3 with packaging> [--count 20000] [--seed 1]
 *       [--write]
 *
 * Prints each text over which the two differ, and a summary. With --write a sample becomes the golden lines beside the
 * code, which tests read without Python.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { toEnvironment } from '#analysis/ecosystems/python/packaging/environment.ts'
import { judgeMarker, judgeRequirement } from '#test/manifests/python-judgments.ts'
import { markerTexts, requirementTexts } from '#test/manifests/python-texts.ts'

const { values: settings } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})

const script = `
import json, sys
from packaging.requirements import Requirement, InvalidRequirement
from packaging.markers import Marker, InvalidMarker
from packaging.utils import canonicalize_name
environment = json.loads(sys.stdin.readline())
def judge(marker, extra):
    try:
        return 'yes' if marker.evaluate({**environment, 'extra': extra}) else 'no'
    except Exception:
        return 'undecided'
def marker(text):
    try:
        parsed = Marker(text)
    except (InvalidMarker, RecursionError):
        return 'refused'
    return ' '.join(judge(parsed, extra) for extra in ('', 'test'))
def requirement(text):
    try:
        parsed = Requirement(text)
    except (InvalidRequirement, RecursionError):
        return 'refused'
    name = canonicalize_name(parsed.name)
    extras = ','.join(sorted({canonicalize_name(each) for each in parsed.extras}))
    specifiers = ' '.join(sorted({str(each) for each in parsed.specifier}))
    return '|'.join([name, extras, specifiers, parsed.url or '', '' if parsed.marker is None else marker(str(parsed.marker))])
for line in sys.stdin:
    kind, text = json.loads(line)
    print(json.dumps(marker(text) if kind == 'marker' else requirement(text)))
`

type Kind = 'marker' | 'requirement'
const environment = toEnvironment({ version: '3.13.2', platform: 'linux' })
const judges = {
  marker: (text: string) => judgeMarker(text, environment.markers),
  requirement: (text: string) => judgeRequirement(text, environment.markers),
}

const samples = (arbitrary: fc.Arbitrary<string>) =>
  fc.sample(arbitrary, { numRuns: Number(settings.count), seed: Number(settings.seed) })
const texts: (readonly [Kind, string])[] = [
  ...[...new Set(samples(markerTexts))].map((text) => ['marker', text] as const),
  ...[...new Set(samples(requirementTexts))].map((text) => ['requirement', text] as const),
]
const theirs = await askPackaging(texts)
const lines: Record<Kind, string[]> = { marker: [], requirement: [] }
let differences = 0
for (const [index, [kind, text]] of texts.entries()) {
  const [ours, expected] = [judges[kind](text), theirs[index]!]
  if (ours !== expected) {
    differences++
    if (differences <= 40)
      console.log(`${kind} ${JSON.stringify(text)}\n  ours:      ${ours}\n  packaging: ${expected}`)
  }
  lines[kind].push(`${JSON.stringify(text)}\t${expected}`)
}
console.log(
  `${texts.length} texts, ${theirs.filter((each) => each === 'refused').length} refused, ${differences} differences`,
)
if (settings.write) {
  for (const kind of ['marker', 'requirement'] as const) {
    const file = path.join(import.meta.dirname, `../src/analysis/ecosystems/python/pip/golden/${kind}s.txt`)
    await writeFile(
      file,
      `${lines[kind]
        .filter((line) => line.length < 200)
        .slice(0, 600)
        .join('\n')}\n`,
    )
  }
}

function askPackaging(asked: typeof texts): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(settings.python, ['-c', script], { maxBuffer: 1e9 }, (error, stdout) => {
      if (error) reject(error)
      else
        resolve(
          stdout
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as string),
        )
    })
    child.stdin!.end([environment.markers, ...asked].map((each) => JSON.stringify(each)).join('\n'))
  })
}
