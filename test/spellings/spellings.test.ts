import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { getEcosystem } from '#analysis/ecosystems/index.ts'
import { Problem } from '#foundation/problem.ts'
import { openAdvisories } from '#scanning/advisories/open-advisories.ts'
import { openSnapshotFile } from '#scanning/advisories/snapshot-file.ts'
import { writeStarterSnapshot } from '#scanning/advisories/starter-set.ts'
import { readSubject } from '#scanning/reading/read-subject.ts'
import { testReading } from '#scanning/results/result.ts'
import type { TestResult } from '#scanning/results/test-result.ts'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'

/** Path → text; the first file is the target. */
type Files = Readonly<Record<string, string>>

/** Behavior of the real tool → the outcome that agrees with it. */
const AGREEMENTS = { installs: 'found', ignores: 'clean', refuses: 'refused' } as const
type Behavior = keyof typeof AGREEMENTS

/** README.md describes the documents. */
interface Section {
  readonly project?: Files
  readonly cases: Readonly<Record<string, Case>>
}

type Case = Readonly<Partial<Record<Behavior, string | Files>>> & {
  readonly gatehouse?: string
  readonly dev?: 'true'
}

interface Spelling {
  readonly title: string
  readonly behavior: Behavior
  readonly files: Files
  /** Expected outcome, followed by the codes of unresolved dependencies. */
  readonly expected: string
  readonly includeDev: boolean
}

const folder = import.meta.dirname
const content = JSON.parse(readFileSync(join(folder, 'registries.json'), 'utf8')) as Readonly<Record<string, unknown>>
const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-spellings-'))
const advisories = openAdvisories(openSnapshotFile((await writeStarterSnapshot(temporary)).path))

describe('a vulnerable dependency in unusual spellings', () => {
  after(() => {
    advisories.close()
    rmSync(temporary, { recursive: true })
  })

  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    const id = file.slice(0, -'.yaml'.length)
    const { vulnerable, spellings } = readSpellings(file)

    test(`${id}: each spelling has the recorded outcome`, async () => {
      const differences: string[] = []
      for (const spelling of spellings) {
        const outcome = await judge(id, spelling, vulnerable)
        if (outcome !== spelling.expected) differences.push(`${spelling.title}: ${spelling.expected} → ${outcome}`)
      }
      assert.deepEqual(differences, [])
    })

    test(`${id}: no recorded outcome is a false clean or a false alarm`, () => {
      const wrong = { installs: 'clean', ignores: 'found', refuses: undefined }
      const faults = spellings.filter(({ behavior, expected }) => expected.split(' ')[0] === wrong[behavior])
      assert.deepEqual(
        faults.map(({ title }) => title),
        [],
      )
    })
  }
})

function readSpellings(file: string): { vulnerable: readonly string[]; spellings: Spelling[] } {
  const documents = parseAllDocuments(readFileSync(join(folder, file), 'utf8'), { schema: 'failsafe' })
  const [head, ...sections] = [...documents].map((document) => {
    assert.deepEqual(document.errors, [], file)
    return document.toJS() as unknown
  })
  const { vulnerable } = head as { vulnerable: readonly string[] }
  return { vulnerable, spellings: (sections as Section[]).flatMap(toSpellings) }
}

function toSpellings({ project = {}, cases }: Section): Spelling[] {
  return Object.entries(cases).map(([title, { gatehouse, dev, ...behaviors }]) => {
    const [[behavior, input], ...others] = Object.entries(behaviors) as [[Behavior, string | Files]]
    assert.ok(behavior in AGREEMENTS && others.length === 0, `${title}: ${behavior} is not a behavior`)
    const { here, ...added } = typeof input === 'string' ? { here: input } : input
    const filled = Object.entries(project).map(([path, text]) => [path, text.replace('<here>', () => here ?? '')])
    const files = { ...Object.fromEntries(filled), ...added } as Files
    return { title, behavior, files, expected: gatehouse ?? AGREEMENTS[behavior], includeDev: dev === 'true' }
  })
}

async function judge(id: string, { files, includeDev }: Spelling, vulnerable: readonly string[]): Promise<string> {
  try {
    const { ok, issues, coverage } = await testFiles(id, files, includeDev)
    const names = issues.vulnerabilities.flatMap((vulnerability) => [
      vulnerability.package,
      `${vulnerability.package}@${vulnerability.version}`,
    ])
    const isFound = names.some((name) => vulnerable.includes(name.toLowerCase()))
    if (!isFound && (ok || coverage.complete)) return 'clean'
    const codes = new Set(coverage.unresolved.map(({ code }) => code).sort())
    return [isFound ? 'found' : 'reported', ...codes].join(' ')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return 'refused'
  }
}

async function testFiles(id: string, files: Files, includeDev: boolean): Promise<TestResult> {
  const [target = '', ...additional] = Object.values(files)
  const task = {
    ecosystem: id,
    subject: { kind: 'files', target, additional, encoding: 'plain' },
    form: 'json',
    org: { id: '28006eea-435a-4f28-8059-eb739717d7c9', name: 'Org' },
    licensePolicy: undefined,
    acceptPartial: false,
    includeDev,
    repositories: [],
    python: { version: '3.11', platform: 'linux', basis: 'setting' },
  } as const
  const ecosystem = getEcosystem(id)
  const registries = fixtureRegistries(ecosystem.registry, content[ecosystem.registry])
  const { reading, manifest, numberOf } = await readSubject(task, ecosystem, { registries, memoryMb: 512 })
  const { result } = await testReading(reading, {
    task,
    ecosystem,
    manifest,
    numberOf,
    advisories,
    resolver: undefined,
    licensePolicy: undefined,
    licenses: undefined,
    isLate: () => false,
    boundsMet: new Set(),
    findStaleAnswer: () => undefined,
  })
  return result
}
