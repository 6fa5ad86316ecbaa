import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { builtInRoles, ci, groupAdmin, groupViewer, orgAdmin, orgCollaborator } from './built-in-roles.ts'
import { isPermission, permissionNames } from './permissions.ts'

const startingWith = (start: string) => permissionNames.filter((name) => name.startsWith(start))

test('built-in roles: ids and names are the same in every installation', () => {
  assert.deepEqual(
    builtInRoles.map(({ id, name }) => `${id} ${name}`),
    [
      '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0001 Group Admin',
      '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0002 Group Viewer',
      '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0003 Org Admin',
      '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0004 Org Collaborator',
      '6c0e9a52-1a55-4d0e-8f0b-6d0f3a1c0005 CI',
    ],
  )
})

test('Group Admin: every permission', () => assert.deepEqual(groupAdmin.permissions, permissionNames))

test('Group Viewer: reads everything and changes nothing', () => {
  assert.deepEqual(
    groupViewer.permissions,
    permissionNames.filter((name) => /\.read$/.test(name)),
  )
})

test('Org Admin: everything in an organization, nothing in its group', () => {
  assert.deepEqual(orgAdmin.permissions, startingWith('org.'))
})

test('Org Collaborator: works with projects and collections, and reads the rest without the audit log', () => {
  assert.deepEqual(
    new Set(orgCollaborator.permissions),
    new Set([
      ...startingWith('org.project.'),
      ...startingWith('org.collection.'),
      'org.read',
      'org.report.read',
      'org.package.test',
      'org.container_image.read',
      'org.user.read',
      'org.app.read',
      'org.service_account.read',
    ]),
  )
})

test('CI: the permissions of testing and monitoring, and nothing else', () => {
  const matrix = readFileSync('test/authorization-matrix.txt', 'utf8')
  const rows = [...matrix.matchAll(/^POST \/v1\/(?:test|monitor)\/\S* orgOfQuery: (.*)$/gm)]
  assert.deepEqual(new Set(ci.permissions), new Set(rows.flatMap(([, names]) => names!.split(' '))))
})

test('isPermission: accepts known permissions, refuses unknown names and members of Object.prototype', () => {
  assert.ok(permissionNames.every(isPermission))
  for (const name of ['org.tomorrow', 'constructor', '__proto__', '']) assert.equal(isPermission(name), false)
})
