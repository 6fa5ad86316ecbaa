import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const { resolve } = createRequire(import.meta.url)

/** The official JSON schemas of the documents that results are answered in. */
export function createDocumentChecks() {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv)
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true)
  const sarif = ajv.compile(sarifSchema())
  for (const name of ['spdx', 'jsf-0.82']) {
    ajv.addSchema(cycloneDxSchema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  }
  const cycloneDx = new Map(
    ['1.4', '1.5', '1.6'].map((version) => [version, ajv.compile(cycloneDxSchema(`bom-${version}`))]),
  )
  return {
    assertSarif: (document: unknown) => assertValid(sarif, document),
    assertCycloneDx: (document: unknown, version = '1.6') => assertValid(cycloneDx.get(version)!, document),
  }
}

function assertValid(validate: ValidateFunction, document: unknown): void {
  assert.ok(validate(document), JSON.stringify(validate.errors?.slice(0, 5), undefined, 2))
}

/** Published for draft 4, of which it uses nothing that later drafts read otherwise but the name of its own id. */
function sarifSchema(): object {
  const folder = resolve('@microsoft/jest-sarif').replace(/lib\/index\.js$/, 'lib/schemas/')
  const { $schema: _draft, id: _id, ...schema } = readJson(`${folder}sarif-2.1.0-rtm.5.json`)
  return schema
}

function cycloneDxSchema(name: string): object {
  const folder = resolve('@cyclonedx/cyclonedx-library/package.json').replace(/package\.json$/, 'res/schema/')
  const { $schema: _draft, ...schema } = readJson(`${folder}${name}.SNAPSHOT.schema.json`)
  return schema
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
}
