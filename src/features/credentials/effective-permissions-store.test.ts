import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Delegation } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import {
  findDefaultOrgId,
  findEffectivePermissionsInGroup,
  findEffectivePermissionsInOrg,
} from './effective-permissions-store.ts'

const [ALL, ONE] = ['["org.read"]', '["org.edit"]']

/** Group 1 has the organizations `old` and `new`; group 2 has `far`, the oldest. */
const ORGS = [
  { id: 'new', group: 'g1', createdAt: 30 },
  { id: 'old', group: 'g1', createdAt: 20 },
  { id: 'far', group: 'g2', createdAt: 10 },
]
/** `boss` has a role in each group and one in `new`; `member` has only the one in `new`. */
const MEMBERSHIPS = [
  { principal: 'boss', group: 'g1', org: null, role: ALL },
  { principal: 'boss', group: 'g2', org: null, role: ALL },
  { principal: 'boss', group: 'g1', org: 'new', role: ONE },
  { principal: 'member', group: 'g1', org: 'new', role: ONE },
  { principal: 'chief', group: 'g1', org: null, role: ALL },
]
/** Apps by their bots: in one organization, in a whole group, and in both. */
const INSTALLS = [
  { bot: 'in-new', group: 'g1', org: 'new' },
  { bot: 'in-g1', group: 'g1', org: null },
  { bot: 'in-both', group: 'g1', org: null },
  { bot: 'in-both', group: 'g1', org: 'new' },
]

async function addWorld(db: Db): Promise<void> {
  const times = (at: number) => ({ created_at: at, updated_at: at })
  for (const id of ['g1', 'g2']) {
    await db
      .insertInto('groups')
      .values({ id, name: `Group ${id}`, slug: `slug-${id}`, ...times(1) })
      .execute()
  }
  for (const { id, group, createdAt } of ORGS) {
    const names = { name: `Org ${id}`, slug: `slug-${id}`, policy_files: null }
    await db
      .insertInto('orgs')
      .values({ id, group_id: group, ...names, ...times(createdAt) })
      .execute()
  }
  for (const permissions of [ALL, ONE]) {
    const role = { id: permissions, group_id: null, name: permissions, description: '', permissions, ...times(1) }
    await db.insertInto('roles').values(role).execute()
  }
  for (const { principal, group, org, role } of MEMBERSHIPS) {
    const member = { id: randomUUID(), principal_kind: 'user', principal_id: principal, role_id: role, created_at: 1 }
    await db
      .insertInto('memberships')
      .values({ ...member, group_id: group, org_id: org })
      .execute()
  }
  for (const { bot, group, org } of INSTALLS) await addInstall(db, { bot, group, org })
}

async function addInstall(db: Db, { bot, group, org }: { bot: string; group: string; org: string | null }) {
  const times = { created_at: 1, updated_at: 1 }
  const grant = { context: 'tenant', grant_type: 'client_credentials', is_confidential: 1, is_public: 0 }
  const app = { name: bot, client_id: null, ...grant, redirect_uris: '[]', scopes: '[]', access_token_ttl_seconds: 60 }
  const id = randomUUID()
  await db
    .insertInto('apps')
    .values({ id, group_id: 'g1', org_id: 'new', ...app, ...times, ended_at: null })
    .execute()
  const install = { id: randomUUID(), bot_id: bot, app_id: id, user_id: null, client_id: null }
  await db
    .insertInto('app_installs')
    .values({ ...install, group_id: group, org_id: org, ...times })
    .execute()
}

const member = (id: string) => ({ id })
const delegation = (botId: string): Delegation => ({ appId: 'an app', appName: 'An app', botId })
/** Returns an app in the context of a user. */
const through = (botId: string, userId: string) => ({ id: userId, delegation: { ...delegation(botId), userId } })
/** Returns an unattended app. */
const unattended = (botId: string) => ({ id: botId, delegation: delegation(botId) })
type Caller = ReturnType<typeof member> & { readonly delegation?: Delegation }

onEveryEngine('roles of a principal', (engine) => {
  let shared: FreshDatabase
  before(async () => {
    shared = await freshDatabase(engine)
    await addWorld(shared.db)
  })
  after(() => shared[Symbol.asyncDispose]())
  /** Opens the database again, because a query is built at its first use on a connection. */
  const world = () => shared.openAgain()

  const inOrgs: [why: string, caller: Caller, expected: Record<'new' | 'old' | 'far', (string | null)[]>][] = [
    ['a member of groups and of an organization', member('boss'), { new: [ALL, ONE], old: [ALL], far: [ALL] }],
    ['a member of an organization', member('member'), { new: [ONE], old: [], far: [] }],
    ['a user without memberships', member('a stranger'), { new: [], old: [], far: [] }],
    ['an app in an organization, through a member', through('in-new', 'boss'), { new: [ALL, ONE], old: [], far: [] }],
    ['an app in a group, through a member', through('in-g1', 'boss'), { new: [ALL, ONE], old: [ALL], far: [] }],
    [
      'an app in a group, through a member of one organization',
      through('in-g1', 'member'),
      { new: [ONE], old: [], far: [] },
    ],
    ['an app that is not installed', through('nowhere', 'boss'), { new: [], old: [], far: [] }],
    ['an unattended app in an organization', unattended('in-new'), { new: [null], old: [], far: [] }],
    ['an unattended app in a group', unattended('in-g1'), { new: [null], old: [null], far: [] }],
  ]
  for (const [why, caller, expected] of inOrgs) {
    for (const by of ['id', 'slug'] as const) {
      test(`findEffectivePermissionsInOrg by ${by}: returns the roles of ${why}`, async () => {
        await using database = world()
        for (const [org, permissions] of Object.entries(expected)) {
          const selector = by === 'id' ? { id: org } : { slug: `slug-${org}` }
          const rows = await findEffectivePermissionsInOrg(database.db, caller, selector)
          assert.deepEqual(rows.map((row) => row.permissions).toSorted(), permissions.toSorted(), org)
          const place = { id: org, name: `Org ${org}`, slug: `slug-${org}` }
          const group = { group_id: 'g1', group_name: 'Group g1', group_slug: 'slug-g1' }
          for (const { permissions: _, ...row } of org === 'far' ? [] : rows)
            assert.deepEqual(row, { ...place, ...group })
        }
      })
    }
  }

  const defaults: [why: string, caller: Caller, expected: string | undefined][] = [
    ['the organization with an own role, though others are older', member('boss'), 'new'],
    ['the only organization of a member', member('member'), 'new'],
    ['the oldest organization of a group member', member('chief'), 'old'],
    ['none for a user without memberships', member('a stranger'), undefined],
    ['the organization where the user’s app is installed', through('in-new', 'chief'), 'new'],
    ['none for a user who is not a member where the app is installed', through('in-new', 'a stranger'), undefined],
    ['the oldest organization of the group where the user’s app is installed', through('in-g1', 'chief'), 'old'],
    ['none for an app without an install', through('nowhere', 'boss'), undefined],
    ['the organization where an unattended app is installed, before those of its group', unattended('in-both'), 'new'],
    ['the oldest organization of the group where an unattended app is installed', unattended('in-g1'), 'old'],
    ['none for an unattended app without an install', unattended('nowhere'), undefined],
  ]
  for (const [why, caller, expected] of defaults) {
    test(`findDefaultOrgId: returns ${why}`, async () => {
      await using database = world()
      assert.equal(await findDefaultOrgId(database.db, caller), expected)
    })
  }

  for (const caller of [member('chief'), through('in-g1', 'chief'), unattended('in-g1')]) {
    test(`findDefaultOrgId: returns the first by id of two equally old organizations, ${JSON.stringify(caller)}`, async () => {
      await using database = await freshDatabase(engine)
      await addWorld(database.db)
      await database.db.updateTable('orgs').set({ created_at: 5 }).where('group_id', '=', 'g1').execute()
      assert.equal(await findDefaultOrgId(database.db, caller), 'new')
    })
  }

  const inGroups: [why: string, caller: Caller, expected: Record<'g1' | 'g2', string | null | undefined>][] = [
    ['a member of groups', member('boss'), { g1: ALL, g2: ALL }],
    ['a member of one group', member('chief'), { g1: ALL, g2: undefined }],
    ['a member of an organization only', member('member'), { g1: undefined, g2: undefined }],
    ['an app in the group, through a member', through('in-g1', 'boss'), { g1: ALL, g2: undefined }],
    ['an app in an organization only', through('in-new', 'boss'), { g1: undefined, g2: undefined }],
    ['an unattended app in the group', unattended('in-g1'), { g1: null, g2: undefined }],
    ['an unattended app in an organization only', unattended('in-new'), { g1: undefined, g2: undefined }],
  ]
  for (const [why, caller, expected] of inGroups) {
    test(`findEffectivePermissionsInGroup: returns the role of ${why}, or nothing`, async () => {
      await using database = world()
      for (const [id, permissions] of Object.entries(expected)) {
        const row = await findEffectivePermissionsInGroup(database.db, caller, id)
        const whole = { id, name: `Group ${id}`, slug: `slug-${id}`, permissions }
        assert.deepEqual(row, permissions === undefined ? undefined : whole)
      }
    })
  }
})
