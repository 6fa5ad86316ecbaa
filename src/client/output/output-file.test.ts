import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { writeOutputFile } from './output-file.ts'

describe('output files', () => {
  let root: string
  let checkout: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-output-'))
    checkout = join(root, 'checkout')
    mkdirSync(join(checkout, '.git'), { recursive: true })
    mkdirSync(join(checkout, 'app'))
    mkdirSync(join(root, 'home'))
    writeFileSync(join(root, 'home', 'profile'), 'kept')
    symlinkSync(join(root, 'home', 'profile'), join(checkout, 'app', 'out.sarif'))
    symlinkSync(join(root, 'home'), join(checkout, 'reports'))
    symlinkSync('.git', join(checkout, 'inside'))
  })
  after(() => rmSync(root, { recursive: true }))

  test('a link in the checkout, as the file or a folder above it: refused, nothing is written', async () => {
    const cases: [folder: string, path: string, link: string][] = [
      [join(checkout, 'app'), 'out.sarif', 'app/out.sarif'],
      [checkout, join(checkout, 'app/out.sarif'), 'app/out.sarif'],
      [join(checkout, 'app'), '../reports/profile', 'reports'],
      [checkout, 'reports/new/out.sarif', 'reports'],
      [checkout, 'inside/config', 'inside'],
    ]
    for (const [folder, path, link] of cases) {
      await assert.rejects(writeOutputFile(path, 'x', folder), {
        message: `"${path}" cannot be written: ${link} is a link in the checkout, and such links are not followed. Name another file.`,
      })
    }
    assert.equal(readFileSync(join(root, 'home', 'profile'), 'utf8'), 'kept')
  })

  test('plain files in the checkout, and links outside of it: written', async () => {
    await writeOutputFile('out.json', 'longer text', checkout)
    await writeOutputFile('out.json', 'x', join(checkout))
    assert.equal(readFileSync(join(checkout, 'out.json'), 'utf8'), 'x')
    await writeOutputFile('../../home/new', 'x', join(checkout, 'app'))
    assert.equal(readFileSync(join(root, 'home', 'new'), 'utf8'), 'x')
    symlinkSync(join(root, 'home', 'profile'), join(root, 'link'))
    await writeOutputFile(join(root, 'link'), 'x', checkout)
    assert.equal(readFileSync(join(root, 'home', 'profile'), 'utf8'), 'x')
    await assert.rejects(
      writeOutputFile('none/out.json', 'x', checkout),
      /"none\/out.json" cannot be written \(ENOENT\)/,
    )
  })
})
