import { Type } from 'typebox'
import { readVex } from '#analysis/vex/read-vex.ts'
import { UnreadableVex, type VexDocument } from '#analysis/vex/vex-document.ts'
import { answerChange } from '#foundation/http/change.ts'
import { JsonApi } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { ownerKinds, type OwnerKind as Paths } from '#foundation/http/org-or-group.ts'
import type { AccessRule } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { JobNotifier } from '#foundation/jobs/job-notifier.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { groups } from '../owner-kind.ts'
import { uploadVex } from './upload-vex.ts'

const Count = Type.Integer({ minimum: 0 })

const VexInput = Type.Object(
  {},
  { additionalProperties: true, description: 'A document of OpenVEX, CycloneDX or CSAF' },
)

const VexAnswer = Type.Object({
  jsonapi: JsonApi,
  meta: Type.Object({
    document: Type.Object({ kind: Type.Enum(['openvex', 'cyclonedx', 'csaf']), id: Type.String() }),
    statements: Type.Object(
      { ignoring: Count, affected: Count, under_investigation: Count, unmatched: Count },
      {
        description:
          'ignoring: not affected or fixed; unmatched: of these, those without a package URL of a supported registry; the others create no policy',
      },
    ),
    policies: Type.Object({ created: Count, updated: Count, unchanged: Count, withdrawn: Count }),
  }),
})

nameSchemas({ VexInput, VexAnswer })

const MAX_ID_LENGTH = 2_000

const { org, group } = ownerKinds('/vex_documents')
const kinds: readonly (Paths & { readonly access: AccessRule })[] = [
  {
    ...org,
    access: {
      org: [
        'org.project.read',
        'org.project.ignore.read',
        'org.project.ignore.create',
        'org.project.ignore.edit',
        'org.project.ignore.delete',
      ],
    },
  },
  { ...group, access: groups.access('create') },
]

/** `POST /orgs/{org_id}/vex_documents`, and the same of groups */
export function vexRoutes(services: Services, jobNotifier: JobNotifier): Routes {
  return (scope) => {
    for (const { level, path, noun, access, ownerOf } of kinds) {
      defineOperation(scope, {
        id: `upload${level}Vex`,
        at: `POST ${path}`,
        summary: `Upload a VEX document for ${noun}`,
        description: `An extension. Statements that a package is not affected or fixed become policies of ${noun} with the source \`vex\`, matched by package URL, version and identifiers. A later upload of the same document updates them, and deletes those that it no longer states.`,
        tags: ['Policies'],
        access,
        releases: ['2024-10-15'],
        body: VexInput,
        response: { 200: VexAnswer },
        handler: async (request, reply) => {
          const document = parse(request.body)
          await answerChange(services, { request, reply }, async (change) => {
            const outcome = await inDocument(() => uploadVex({ ...change, owner: ownerOf(request) }, document))
            const meta = { document: { kind: document.kind, id: document.id }, ...outcome }
            return { status: 200, body: { jsonapi: { version: '1.0' }, meta } }
          })
          jobNotifier.notifyWorkers()
          return reply
        },
      })
    }
  }
}

function parse(body: unknown): VexDocument {
  try {
    const document = readVex(body)
    if (/^[^\p{Cc}\p{Cs}]+$/u.test(document.id) && document.id.length <= MAX_ID_LENGTH) return document
    throw new UnreadableVex('', `has an identifier with control characters or of more than ${MAX_ID_LENGTH} characters`)
  } catch (error) {
    throw toProblem(error)
  }
}

async function inDocument<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw toProblem(error)
  })
}

function toProblem(error: unknown): unknown {
  if (!(error instanceof UnreadableVex)) return error
  const { pointer, message } = error
  return new Problem('invalid-request', `${pointer === '' ? 'The document' : pointer} ${message}`, {
    source: { pointer },
  })
}
