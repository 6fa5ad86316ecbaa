/**
 * Holds our reading of requirement files against pip's own parser: what each line asks for, in this interpreter.
 *
 *     node tools/pip-lines-against-pip.ts --python <python3 with pip> <requirements file>…
 *
 * Names, ranges and extras of all requirements and constraints, with the files that are referred to. Prints a row for each
 * file and every line that only one of the two has. Where pip refuses a line, its reading ends there, and the rest of ours
 * is not compared. Needs no network.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { toEnvironment } from '#analysis/ecosystems/python/packaging/environment.ts'
import { readProjectFiles } from '#analysis/ecosystems/python/requirements/project-files.ts'
import { toRequestedPackages } from '#analysis/ecosystems/python/requirements/requested-packages.ts'

const { values: settings, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { python: { type: 'string', default: 'python3' } },
})
const run = promisify(execFile)
const script = `
import json, platform, sys
from pip._internal.network.session import PipSession
from pip._internal.req.constructors import install_req_from_parsed_requirement
from pip._internal.req.req_file import parse_requirements
from pip._vendor.packaging.utils import canonicalize_name
lines, refused = [], None
try:
    for parsed in parse_requirements(sys.argv[1], session=PipSession()):
        asked = install_req_from_parsed_requirement(parsed)
        if asked.constraint or not asked.match_markers() or asked.name is None:
            continue
        extras = ','.join(sorted({canonicalize_name(each) for each in asked.extras}))
        specifiers = ','.join(sorted(str(each).replace(' ', '') for each in asked.specifier)) if asked.req else ''
        lines.append(f'{canonicalize_name(asked.name)}[{extras}]{specifiers}')
except Exception as error:
    refused = type(error).__name__ + ': ' + str(error).strip().split('\\n')[0][:120]
print(json.dumps({'lines': lines, 'refused': refused, 'python': platform.python_version()}))
`

interface Theirs {
  readonly lines: readonly string[]
  readonly refused: string | null
  readonly python: string
}

console.log('| file | files | requirements | pip | only ours | only pip |\n|---|---|---|---|---|---|')
const details: string[] = []
const totals = { ours: 0, differences: 0 }
for (const file of files) {
  const theirs = JSON.parse((await run(settings.python, ['-c', script, path.resolve(file)])).stdout) as Theirs
  const sent = new Map<string, string>()
  await withReferences(path.resolve(file), sent)
  const [target = '', ...additional] = [...sent].map(([name, text], at) =>
    at === 0 ? text : `# file: ${path.relative(path.dirname(path.resolve(file)), name)}\n${text}`,
  )
  const { markers } = toEnvironment({ version: theirs.python, platform: 'linux' })
  const { direct } = toRequestedPackages(readProjectFiles({ target, additional }, 50_000), markers)
  const ours = direct.map(({ requirement: { project, extras, range } }) => {
    const specifiers = range.split(',').map((part) => part.replace(/\s/g, ''))
    return `${project}[${extras.join()}]${specifiers.sort().join()}`
  })
  const onlyOurs = theirs.refused === null ? without(ours, theirs.lines) : []
  const onlyTheirs = without(theirs.lines, ours)
  totals.ours += ours.length
  totals.differences += onlyOurs.length + onlyTheirs.length
  const count = theirs.refused === null ? theirs.lines.length : `${theirs.lines.length}, then refuses`
  const name = file.split('/').slice(-3).join('/')
  console.log(`| ${[name, sent.size, ours.length, count, onlyOurs.length, onlyTheirs.length].join(' | ')} |`)
  for (const line of onlyOurs) details.push(`${name}: only ours: ${line}`)
  for (const line of onlyTheirs) details.push(`${name}: only pip's: ${line}`)
  if (theirs.refused !== null) details.push(`${name}: pip refuses: ${theirs.refused}`)
}
console.log(`\n${files.length} files, ${totals.ours} requirements, ${totals.differences} differences`)
console.log(details.join('\n'))

function without(all: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return all.filter((each) => !known.has(each))
}

async function withReferences(file: string, seen: Map<string, string>): Promise<void> {
  if (seen.has(file)) return
  const contents = await readFile(file, 'utf8').catch(() => undefined)
  if (contents === undefined) return
  seen.set(file, contents)
  for (const [, reference] of contents.matchAll(/^\s*(?:-r|-c|--requirement|--constraint)[ =]?(\S+)/gm)) {
    await withReferences(path.join(path.dirname(file), reference!), seen)
  }
}
