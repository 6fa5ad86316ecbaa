import { randomUUID } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import { toStoredGraph } from '../../src/analysis/findings/stored-graph.ts'
import { packTest } from '../../src/features/issue-index/storage/packed-state.ts'
import type { Db } from '../../src/foundation/db/database.ts'
import type { Tables } from '../../src/foundation/db/tables.generated.ts'
import type { ProjectTest } from '../../src/scanning/results/project-form.ts'
import { createRandom, type Random } from './synthetic-advisories.ts'

export interface Seeded {
  readonly projects: number
  readonly packages: number
  /** Rows of the inverted index. */
  readonly contained: number
}

interface SeedOptions {
  /** Each gets its share of the projects. */
  readonly orgs: readonly { readonly id: string; readonly projects: number }[]
  /** Distinct packages to choose from, besides the one that all contain. */
  readonly packages: number
  /** Fewest and most packages of a project. */
  readonly size: readonly [number, number]
}

/** The package that every project contains. */
export const COMMON = { name: 'common-to-all', version: '1.2.3' } as const

const ROWS = 400
const TYPES = ['npm', 'npm', 'npm', 'yarn', 'npm']

/** Fills storage as imports of that many projects would leave it, without making them. */
export async function seedProjects(db: Db, { orgs, packages, size }: SeedOptions): Promise<Seeded> {
  const random = createRandom(7)
  const numbers = await insertPackages(db, packages)
  const common = numbers[0]!
  const state = await packState(size[1])
  let count = 0
  let contained = 0
  for (const { id: orgId, projects } of orgs) {
    const { number: org } = await db
      .insertInto('org_numbers')
      .values({ org_id: orgId })
      .returning('number')
      .executeTakeFirstOrThrow()
    for (let done = 0; done < projects; done += ROWS) {
      const some = Array.from({ length: Math.min(ROWS, projects - done) }, (_, n) => done + n)
      contained += await db.transaction().execute(async (tx) => {
        const targets = some.map((n) => toTarget(orgId, n))
        await tx.insertInto('targets').values(targets).execute()
        const values = some.map((n, at) => toProject(orgId, targets[at]!.id, n))
        const rows = await tx.insertInto('projects').values(values).returning('number').execute()
        const states = rows.map(({ number }) => ({
          project_number: number,
          test_id: randomUUID(),
          ...state,
          coverage: '{}',
          source: null,
        }))
        for (const part of parts(states)) await tx.insertInto('project_states').values(part).execute()
        const all = rows.flatMap(({ number }) => {
          const own = new Set([common])
          const target = size[0] + Math.floor(random() * (size[1] - size[0] + 1))
          while (own.size < target) own.add(numbers[1 + pickPackage(random, numbers.length - 1)]!)
          return [...own].map((packageNumber) => ({
            project_number: Number(number),
            package_number: packageNumber,
            org_number: Number(org),
            is_direct: 0,
          }))
        })
        for (const part of parts(all)) await tx.insertInto('project_packages').values(part).execute()
        return all.length
      })
      count += some.length
    }
  }
  await sql`insert into org_packages (org_number, package_number, name, version, severity, projects, spelling, license)
    select pp.org_number, k.number, k.name, k.version, 0, pp.projects, k.name, case when k.number % 9 = 0 then 'ISC' else 'MIT' end
    from (select org_number, package_number, count(*) as projects from project_packages
      group by org_number, package_number) pp
    join packages k on k.number = pp.package_number`.execute(db)
  // As an upgrade leaves it: nothing is counted yet.
  await sql`insert into project_issue_counts (project_number, change_number, policy_revision, valid_until, critical, high,
      medium, low, ignored_critical, ignored_high, ignored_medium, ignored_low)
    select number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from projects`.execute(db)
  return { projects: count, packages: numbers.length, contained }
}

/** Not divisible by a prime factor of the usual numbers of packages, so that each keeps a place of its own. */
const STRIDE = 7_919

/**
 * A few packages are everywhere, most are rare. The common ones are others than those with hundreds of advisories, as in
 * the registries: a project has about 20 issues.
 */
function pickPackage(random: Random, below: number): number {
  return (Math.floor(random() ** 3 * below) * STRIDE + 11) % below
}

/** Stores packages with `count` names and versions after the one that all projects contain; returns their numbers. */
export async function insertPackages(db: Db, count: number): Promise<number[]> {
  const keys = Array.from({ length: count }, (_, n) => ({
    name: `synthetic-package-${n % 20_000}`,
    version: `${n % 5}.${n % 13}.${Math.floor(n / 20_000)}`,
  }))
  const numbers: number[] = []
  for (const part of parts([COMMON, ...keys])) {
    const values = part.map((key) => ({ registry: 'npm', ...key, variant: '' }))
    const rows = await db.insertInto('packages').values(values).returning('number').execute()
    numbers.push(...rows.map(({ number }) => Number(number)))
  }
  return numbers
}

function toTarget(orgId: string, n: number): Insertable<Tables['targets']> & { id: string } {
  return {
    id: randomUUID(),
    org_id: orgId,
    integration_id: null,
    origin: 'github',
    source_key: `bench ${n}`,
    display_name: `team-${n % 300}/service-${n}`,
    url: `https://git.example/team-${n % 300}/service-${n}`,
    is_private: n % 4 === 0 ? 0 : 1,
    created_at: 1_700_000_000_000 + n,
  }
}

function toProject(orgId: string, targetId: string, n: number): Omit<Insertable<Tables['projects']>, 'number'> {
  const at = 1_700_000_000_000 + n * 10
  return {
    id: randomUUID(),
    org_id: orgId,
    target_id: targetId,
    place_key: 'bench',
    name: `team-${n % 300}/service-${n}:package.json`,
    origin: 'github',
    type: TYPES[n % TYPES.length]!,
    target_file: 'package.json',
    target_reference: 'main',
    status: n % 20 === 0 ? 'inactive' : 'active',
    test_frequency: 'daily',
    owner_id: null,
    importer_id: null,
    importer_name: 'bench',
    business_criticality: '[]',
    environment: '[]',
    lifecycle: '[]',
    tags: '[]',
    total_dependencies: 30,
    licenses: '{"MIT":29,"ISC":1}',
    content_digest: null,
    failure: null,
    created_at: at,
    updated_at: at,
    tested_at: at,
    monitored_at: null,
    next_test_at: Date.now() + 86_400_000 + n,
  }
}

/** Returns the packed graph that all projects have; its content is not looked at here. */
export function packState(packages: number) {
  return packTest({ ...toState(packages), advice: [] } as unknown as ProjectTest)
}

function toState(packages: number) {
  const nodes = Array.from({ length: packages + 1 }, (_, n) => ({
    package: { name: `synthetic-package-${n * 37}`, version: '1.2.3' },
    edges: [n * 2 + 1, n * 2 + 2]
      .filter((to) => to <= packages)
      .map((to) => ({ to, range: '^1', kind: 'prod' as const })),
  }))
  return { graph: toStoredGraph({ nodes }, () => 'MIT') }
}

function parts<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / ROWS) }, (_, n) => list.slice(n * ROWS, (n + 1) * ROWS))
}
