import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const { resolve } = createRequire(import.meta.url)

/** Compiled validators of this process, by the name of their schema: compiling one takes up to half a second. */
const compiled = new Map<string, ValidateFunction>()
let validatorOfAll: Ajv | undefined

/** Asserts that a document follows the official JSON schema of SARIF 2.1.0. */
export function assertSarif(document: unknown): void {
  assertValid(validatorOf('sarif', sarifSchema), document)
}

/** Asserts that a document follows the official JSON schema of that version of CycloneDX. */
export function assertCycloneDx(document: unknown, version = '1.6'): void {
  assertValid(
    validatorOf(version, () => cycloneDxSchema(`bom-${version}`)),
    document,
  )
}

function validatorOf(name: string, readSchema: () => object): ValidateFunction {
  validatorOfAll ??= createAjv()
  const validator = compiled.get(name) ?? validatorOfAll.compile(readSchema())
  compiled.set(name, validator)
  return validator
}

function createAjv(): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, validateSchema: false })
  addFormats.default(ajv)
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true)
  for (const name of ['spdx', 'jsf-0.82']) {
    ajv.addSchema(cycloneDxSchema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  }
  return ajv
}

function assertValid(validate: ValidateFunction, document: unknown): void {
  assert.ok(validate(document), JSON.stringify(validate.errors?.slice(0, 5), undefined, 2))
}

/** Published for draft 4; the only part that later drafts read differently is the name of the schema's id. */
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
