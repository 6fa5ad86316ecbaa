import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionNames } from './permissions.ts'
import { describeScope, isScope, permissionsOfScopes, REQUIRED_SCOPE, scopeNames } from './scopes.ts'

test('every scope has a description of its own and maps to one permission of organizations or to none', () => {
  for (const scope of scopeNames) {
    assert.ok(isScope(scope))
    assert.match(describeScope(scope), /^[A-Z].{5,}/)
    const permissions = permissionsOfScopes([scope])
    assert.deepEqual(permissions, scope === 'apps:beta' ? [] : [scope])
    assert.ok(permissions.every((name) => permissionNames.includes(name) && name.startsWith('org.')))
  }
  assert.equal(new Set(scopeNames).size, 27)
  assert.equal(new Set(scopeNames.map(describeScope)).size, 27)
})

test('description of a scope: says that it has no effect on this server', () => {
  assert.equal(describeScope('org.collection.read'), 'See collections (no effect on this server)')
  assert.equal(describeScope('org.project.read'), 'See projects and their issues')
})

test('permissions to manage apps, users, roles, service accounts and groups are not scopes', () => {
  for (const name of ['org.app.create', 'org.user.add', 'org.service_account.create', 'org.delete', 'group.read']) {
    assert.ok(!isScope(name), name)
    assert.deepEqual(permissionsOfScopes([name]), [])
  }
})

test('unknown scopes grant no permission', () => {
  assert.deepEqual(permissionsOfScopes(['org.tomorrow', 'constructor', REQUIRED_SCOPE, REQUIRED_SCOPE]), ['org.read'])
})
