import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPackageUrl } from '#analysis/registries/package-url.ts'
import { assertCycloneDx } from '#test/documents/document-schemas.ts'
import type { BuiltProduct } from '../packaging/build.ts'
import { type Lockfile, shippedPart } from './shipped-packages.ts'

const SUMS = 'SHA256SUMS'

/** Writes the tarball of a built package, its bill of materials and their checksums. Returns the names of the files. */
export function writeArtifacts(built: BuiltProduct, root: string, folder: string): string[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['pack', built.folder, '--pack-destination', folder, '--silent', '--offline'])
  const [tarball] = readdirSync(folder)
  writeBill(built, root, join(folder, tarball!.replace(/tgz$/, 'cdx.json')))
  const files = readdirSync(folder).sort()
  const sums = files.map((file) => `${digestOf(join(folder, file))}  ${file}\n`)
  writeFileSync(join(folder, SUMS), sums.join(''))
  return [...files, SUMS]
}

/** Tests the packages in the bundle with the product itself, which writes CycloneDX 1.6 with what it finds. */
function writeBill({ folder, packages }: BuiltProduct, root: string, target: string): void {
  const project = mkdtempSync(join(tmpdir(), 'gatehouse-shipped-'))
  try {
    const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
    const shipped = shippedPart(lockfile, root, packages)
    const { name, version } = shipped
    const { dependencies } = shipped.packages['']!
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name, version, dependencies }))
    writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ ...shipped, lockfileVersion: 3 }))
    const args = [join(folder, 'bin/gatehouse.js'), 'test', '--local', '--strict', '--cyclonedx-file', target, project]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    // 1 stands for issues, which the bill lists.
    if (status !== 0 && status !== 1) throw new Error(`The packages could not be tested: ${stdout}${stderr}`)
    examineBill(target, shipped)
  } finally {
    rmSync(project, { recursive: true })
  }
}

/** Names the product in the bill, validates it, and compares its libraries with what is shipped. */
function examineBill(path: string, { name, version, packages }: Lockfile): void {
  const bill = JSON.parse(readFileSync(path, 'utf8')) as Bill
  Object.assign(bill.metadata.component, { name, version })
  assertCycloneDx(bill)
  const listed = bill.components.filter(({ type }) => type === 'library').map(({ purl }) => purl)
  const shipped = Object.entries(packages).filter(([place]) => place !== '')
  const expected = shipped.map(([place, entry]) =>
    toPackageUrl('npm', { name: nameAt(place), version: entry.version! }),
  )
  assert.deepEqual(listed.sort(), [...new Set(expected)].sort(), 'the bill differs from what is shipped')
  writeFileSync(path, `${JSON.stringify(bill, undefined, 2)}\n`)
}

interface Bill {
  readonly metadata: { readonly component: object }
  readonly components: readonly { readonly type: string; readonly purl?: string }[]
}

function nameAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
