import { type TSchema, Type } from 'typebox'
import { getProject } from '#features/projects/store.ts'
import { toFile, toSarif } from '#features/reports/sarif.ts'
import type { Org } from '#foundation/access/caller.ts'
import { JSON_API } from '#foundation/http/bodies/media-types.ts'
import { singleQuery, Uuid } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import { listOldIssues } from '../old-issues.ts'
import { billFormats, formatNames, mediaTypes, SARIF } from './formats.ts'
import { getStoredProject, type ReadProject } from './read-project.ts'
import { toStoredBill } from './stored-bill.ts'

const NoFormat = Type.Object({
  jsonapi: Type.Object({ version: Type.Literal('1.0') }),
  data: Type.Object({ id: Uuid, type: Type.Literal('sbom') }),
  meta: Type.Object({ formats: Type.Array(Type.Enum([...formatNames]), { description: 'Values of `format`' }) }),
})

nameSchemas({ SbomWithoutFormat: NoFormat })

const Document = Type.Object({}, { title: 'BillOfMaterials', additionalProperties: true })

const formats: Record<string, { schema: TSchema }> = {
  [JSON_API]: { schema: Type.Unsafe<Buffer>(NoFormat) },
  ...Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: schemaOf(mediaType) }])),
}

function schemaOf(mediaType: string): TSchema {
  return Type.Unsafe<Buffer>(
    mediaType.endsWith('xml')
      ? Type.String({ examples: ['<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>'] })
      : Document,
  )
}

const releases = [
  '2022-03-31~experimental',
  '2022-12-06~beta',
  '2023-03-20',
  '2024-03-12~experimental',
  '2024-08-15~beta',
  '2024-08-22',
]

export function sbomRoutes(services: Services, advisories: AdvisoryHolder): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'getOrgProjectSbom',
      at: 'GET /orgs/:org_id/projects/:project_id/sbom',
      summary: 'Read a project’s bill of materials',
      description:
        'Contains the packages of the last test with their current vulnerabilities; ignores become analysis. OpenVEX and SARIF are extensions. Without `format`, the document contains only the names of the formats. 404 before the first test.',
      tags: ['Projects'],
      produces: [...mediaTypes],
      access: { org: ['org.project.read', 'org.project.snapshot.read'] },
      releases,
      mediaTypes,
      // Many clients send the plus sign of a format unencoded, which means a space.
      preValidation: (request, _reply, done) => {
        const query = request.query as Record<string, unknown>
        if (typeof query['format'] === 'string') query['format'] = query['format'].replaceAll(' ', '+')
        done()
      },
      query: singleQuery({
        format: Type.Optional(Type.Enum([...formatNames], { description: 'Format of the document' })),
        exclude: Type.Optional(Type.Array(Type.Enum(['licenses']), { description: 'Parts to omit' })),
        'go-module-level': Type.Optional(
          Type.Boolean({ description: 'Accepted for existing clients: Go packages are always listed as modules' }),
        ),
      }),
      response: { 200: { description: 'The document in the requested format', content: formats } },
      handler: async (request, reply) => {
        const project = await getProject(services.db, orgOf(request).id, request.params.project_id.toLowerCase())
        const { format, exclude = [] } = request.query
        if (format === undefined) {
          const data = { id: project.id, type: 'sbom' }
          const empty = { jsonapi: { version: '1.0' }, data, meta: { formats: formatNames } }
          return reply.type(JSON_API).send(toBuffer([JSON.stringify(empty)]))
        }
        const snapshot = await getStoredProject({ services, advisories }, project)
        const written = billFormats[format]
        if (written === undefined) {
          return reply.type(SARIF).send(toBuffer([JSON.stringify(toSarif(toSarifInput(snapshot, orgOf(request))))]))
        }
        const bill = toStoredBill(snapshot.read, { ...snapshot, withLicenses: !exclude.includes('licenses') })
        return reply.type(written.mediaType).send(toBuffer(await written.write(bill)))
      },
    })
  }
}

function toBuffer(parts: readonly string[]): Buffer {
  return Buffer.from(parts.join(''))
}

function toSarifInput({ read, row, ignores, texts, coverage, issueUrl }: ReadProject, { id, name }: Org) {
  const dependencyCount = row.total_dependencies
  const { issues, ok } = listOldIssues(read, { filters: {}, ignores, texts, dependencyCount, issueUrl })
  const file = row.target_file ?? toFile(coverage.filesRead)
  return { issues, ok, coverage, dependencyCount, file, org: { id, name } }
}
