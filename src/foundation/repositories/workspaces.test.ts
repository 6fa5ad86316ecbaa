import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { createWorkspaces, sizeOfFolder } from './workspaces.ts'

const HOUR_MS = 3_600_000
const root = mkdtempSync(join(tmpdir(), 'gatehouse-workspaces-'))
after(() => rmSync(root, { recursive: true }))

test('workspace: private (mode 700) and removed with its content', async () => {
  const workspaces = createWorkspaces(join(root, 'one'))
  const folder = await workspaces.make()
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  writeFileSync(join(folder, 'file'), 'x'.repeat(100))
  mkdirSync(join(folder, 'inner'))
  writeFileSync(join(folder, 'inner/file'), 'x'.repeat(50))
  assert.equal(await sizeOfFolder(folder), 150)
  await workspaces.remove(folder)
  assert.deepEqual([existsSync(folder), await sizeOfFolder(folder)], [false, 0])
})

test('sweep: removes workspaces of dead processes; keeps those possibly in use and foreign folders', async () => {
  const at = join(root, 'two')
  const workspaces = createWorkspaces(at)
  await workspaces.sweep(Date.now())
  const own = basename(await workspaces.make())
  const host = own.slice(0, 8)
  const { pid: dead } = spawnSync('true')
  const make = (name: string, ageHours = 0) => {
    mkdirSync(join(at, name), { recursive: true })
    const then = (Date.now() - ageHours * HOUR_MS) / 1000
    utimesSync(join(at, name), then, then)
    return name
  }
  const alive = make(`${host}-${process.ppid}-${randomUUID()}`)
  const elsewhere = make(`00000000-${dead}-${randomUUID()}`)
  const foreign = make('somebody’s folder', 100)
  make(`${host}-${dead}-${randomUUID()}`)
  make(`00000000-1-${randomUUID()}`, 25)
  make(`${host}-${process.ppid}-${randomUUID()}`, 25)
  await workspaces.sweep(Date.now())
  assert.deepEqual(readdirSync(at).sort(), [own, alive, elsewhere, foreign].sort())
})
