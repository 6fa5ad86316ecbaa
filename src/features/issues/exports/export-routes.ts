import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type TSchema, Type } from 'typebox'
import { getTarget } from '#features/projects/targets-store.ts'
import type { Bill } from '#features/reports/bill.ts'
import { toCycloneDx, toCycloneDxHead } from '#features/reports/cyclonedx.ts'
import { type Content, streamJson } from '#features/reports/long-list.ts'
import { listStatements, toOpenVexHead, toOpenVexOf } from '#features/reports/openvex.ts'
import { toSpdx, toSpdxHead } from '#features/reports/spdx.ts'
import type { Org } from '#foundation/access/caller.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { singleQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { issueFilters } from '../issue-resource.ts'
import { listBills } from './list-bills.ts'
import type { ExportScope } from './list-projects.ts'
import { createBillOfMany } from './merge-bills.ts'
import { collectReportFacts, MAX_NOTES } from './report-facts.ts'
import { renderReport } from './report-page.ts'
import { listUntestedManifests } from './untested-manifests-store.ts'
import { writeIssues } from './write-issues.ts'

interface Exporting {
  readonly services: Services
  readonly advisories: AdvisoryHolder
  readonly scope: ExportScope
  readonly orgName: string
}

interface ExportFormat {
  readonly mediaType: string
  readonly ending: string
  write(exporting: Exporting): AsyncGenerator<string>
}

const formats = {
  csv: {
    mediaType: 'text/csv',
    ending: 'csv',
    write: ({ services, advisories, scope }) => writeIssues({ ...services, epssOf: advisories.epssOf }, scope),
  },
  html: { mediaType: 'text/html', ending: 'html', write: writeReport },
  'cyclonedx1.6+json': {
    mediaType: 'application/vnd.cyclonedx+json',
    ending: 'cdx.json',
    write: (exporting) =>
      writeBill(exporting, (bill) => ({ ...toCycloneDxHead('1.6', randomUUID()), ...toCycloneDx(bill, '1.6') })),
  },
  'spdx2.3+json': {
    mediaType: 'application/spdx+json',
    ending: 'spdx.json',
    write: (exporting) => writeBill(exporting, (bill) => ({ ...toSpdxHead(bill, randomUUID()), ...toSpdx(bill) })),
  },
  'openvex0.2.0+json': { mediaType: 'application/json', ending: 'vex.json', write: writeVex },
} satisfies Record<string, ExportFormat>

const names = Object.keys(formats) as (keyof typeof formats)[]
const mediaTypes = [...new Set(Object.values(formats).map(({ mediaType }) => mediaType))]
const content = Object.fromEntries(
  mediaTypes.map((mediaType): [string, { schema: TSchema }] => [mediaType, { schema: schemaOf(mediaType) }]),
)

function schemaOf(mediaType: string): TSchema {
  const isJson = mediaType.endsWith('json')
  return Type.Unsafe<Readable>(
    isJson ? Type.Object({}, { additionalProperties: true }) : Type.String({ examples: ['Project,Repository,Path'] }),
  )
}

const shared = {
  tags: ['Projects'],
  produces: mediaTypes,
  access: { org: ['org.project.read', 'org.project.snapshot.read'] as Permission[] },
  releases: ['2024-10-15'],
  mediaTypes,
  // Many clients send the plus sign of a format unencoded, which means a space.
  preValidation: (request: { query: unknown }, _reply: unknown, done: () => void) => {
    const query = request.query as Record<string, unknown>
    if (typeof query['format'] === 'string') query['format'] = query['format'].replaceAll(' ', '+')
    done()
  },
  query: singleQuery({
    format: Type.Optional(
      Type.Enum([...names], {
        default: 'csv',
        description: 'Format: all issues as CSV, a report to print, a bill of materials, or VEX',
      }),
    ),
    'scan_item.id': issueFilters['scan_item.id'],
  }),
  response: { 200: { description: 'The document in the requested format', content } },
}

const description =
  'An extension. The document is sent while it is written. A bill contains the projects as applications with their packages, each package once.'

export function exportRoutes(services: Services, advisories: AdvisoryHolder): Routes {
  const { db, baseUrl } = services
  return (scope) => {
    defineOperation(scope, {
      ...shared,
      id: 'exportOrg',
      at: 'GET /orgs/:org_id/export',
      summary: 'Export the issues or the bill of materials of an organization',
      description,
      handler: async (request, reply) => {
        const org = orgOf(request)
        const { id, name } = org
        const url = `${baseUrl}/console/orgs/${id}`
        const exported: ExportScope = {
          kind: 'organization',
          orgId: id,
          id,
          name,
          url,
          projectId: projectOf(request.query),
        }
        return send(reply, request.query.format ?? 'csv', { services, advisories, scope: exported, orgName: name })
      },
    })
    defineOperation(scope, {
      ...shared,
      id: 'exportTarget',
      at: 'GET /orgs/:org_id/targets/:target_id/export',
      summary: 'Export the issues or the bill of materials of a target',
      description,
      handler: async (request, reply) => {
        const org = orgOf(request)
        const target = await getTarget(db, org.id, request.params.target_id.toLowerCase())
        return send(reply, request.query.format ?? 'csv', {
          services,
          advisories,
          scope: { ...ofTarget(target, org, baseUrl), projectId: projectOf(request.query) },
          orgName: org.name,
        })
      },
    })
  }
}

function projectOf({ 'scan_item.id': id }: { readonly 'scan_item.id'?: string }): string | undefined {
  return id?.toLowerCase()
}

function ofTarget(target: { id: string; display_name: string }, org: Org, baseUrl: string): ExportScope {
  const { id, display_name: name } = target
  return { kind: 'target', orgId: org.id, id, name, url: `${baseUrl}/console/orgs/${org.id}/projects?target_id=${id}` }
}

function send(reply: FastifyReply, format: keyof typeof formats, exporting: Exporting) {
  const { mediaType, ending, write }: ExportFormat = formats[format]
  const name = exporting.scope.name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-+$/g, '') || 'export'
  reply.header('content-disposition', `attachment; filename="${name}.${ending}"`)
  // The report has its styles inside and runs nothing.
  if (format === 'html')
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
  reply.type(mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType)
  const { database } = exporting.services
  const services = { ...exporting.services, db: database.reads }
  return reply.send(Readable.from(write({ ...exporting, services })))
}

/** White space before a document, which keeps a proxy from giving up while thousands of projects are read. */
const SIGN_OF_LIFE = '\n'
const PROJECTS_PER_SIGN = 500

async function* writeBill(exporting: Exporting, toContent: (bill: Bill) => Content) {
  const { scope, advisories } = exporting
  const many = createBillOfMany({ ...scope, testedAt: 0 })
  let count = 0
  for await (const { project, bill } of listBills(exporting, scope)) {
    many.add(project, bill)
    if (++count % PROJECTS_PER_SIGN === 0) yield SIGN_OF_LIFE
  }
  yield* streamJson(toContent(many.toBill(describeAdvisories(advisories))))
}

async function* writeVex(exporting: Exporting) {
  const { scope, services } = exporting
  async function* statements() {
    for await (const { bill } of listBills(exporting, scope)) if (bill) yield* listStatements(bill)
  }
  const now = services.now()
  const head = toOpenVexHead({ stored: { ...scope, testedAt: now } }, randomUUID())
  yield* streamJson({ ...head, ...toOpenVexOf(statements(), now) })
}

async function* writeReport(exporting: Exporting) {
  const { scope, services, advisories, orgName } = exporting
  const untested =
    scope.kind === 'target'
      ? await listUntestedManifests(services.db, { orgId: scope.orgId, targetId: scope.id }, MAX_NOTES)
      : []
  const collected = collectReportFacts(listBills(exporting, scope), untested)
  let step = await collected.next()
  for (; !step.done; step = await collected.next()) if (step.value % PROJECTS_PER_SIGN === 0) yield SIGN_OF_LIFE
  const facts = step.value
  const advisoriesBuiltAt = Date.parse(describeAdvisories(advisories).builtAt)
  yield await renderReport({ scope, orgName, facts, now: services.now(), advisoriesBuiltAt })
}

function describeAdvisories(holder: AdvisoryHolder): Bill['coverage']['advisories'] {
  const { advisories, release } = holder.acquire()
  try {
    const { digest, builtAt } = advisories.snapshot.header
    return { digest, builtAt: new Date(builtAt).toISOString() }
  } finally {
    release()
  }
}
