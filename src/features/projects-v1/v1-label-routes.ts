import { type Static, Type } from 'typebox'
import type { Permission } from '#foundation/access/permissions.ts'
import { answerOrgChange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { groupOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { editProject } from '../projects/change-project.ts'
import { LabelLists } from '../projects/changed-project.ts'
import { linkHeader, pageLinks, pageQuery, toOffset } from '../projects/numbered-pages.ts'
import { getPathProject, pathProjectId } from '../projects/path-project.ts'
import { labelsOf } from '../projects/resource.ts'
import { listTagsOfGroup, type ProjectRow, type Tag } from '../projects/store.ts'
import { TagBody, toV1Attributes, V1Attributes, V1Settings, V1Tags } from './v1-resource.ts'

const tags = ['Projects']
const one = '/org/:orgId/project/:projectId'
const params = Type.Object({ orgId: Type.String(), projectId: Type.String() })
const MAX_TAGS = 100

export function v1LabelRoutes(services: Services): Routes {
  return (scope) => {
    groupTagsRoute(scope, services)
    tagRoutes(scope, services)
    attributesRoute(scope, services)
    settingsRoutes(scope, services)
  }
}

function needs(permission: Permission) {
  return { access: { org: ['org.read', 'org.project.read', permission] as const } }
}

function tagRoutes(scope: Server, services: Services): void {
  const both = [
    { path: 'tags', id: 'addProjectTagV1', summary: 'Add a tag to a project', edit: withTag },
    { path: 'tags/remove', id: 'removeProjectTagV1', summary: 'Remove a tag from a project', edit: withoutTag },
  ]
  for (const { path, id, summary, edit } of both) {
    defineOperation(scope, {
      id,
      at: `POST ${one}/${path}`,
      summary,
      description: 'Repeating the request has no effect. The body may also be a form.',
      tags,
      ...needs('org.project.tag.edit'),
      params,
      takesForm: true,
      body: TagBody,
      response: { 200: V1Tags },
      handler: async (request, reply) => {
        const { key, value } = request.body
        return answerOrgChange(services, { request, reply }, async (change) => {
          const row = await editProject(change, pathProjectId(request), (before) => ({
            tags: edit(labelsOf(before).tags, { key, value }),
          }))
          return { status: 200, body: { tags: labelsOf(row).tags } }
        })
      },
    })
  }
}

function groupTagsRoute(scope: Server, { db, baseUrl }: Services): void {
  defineOperation(scope, {
    id: 'listGroupTagsV1',
    at: 'GET /group/:groupId/tags',
    summary: 'List the tags of the projects of a group',
    description: 'Sorted by key and value. The header `Link` names the neighboring pages.',
    tags,
    access: { group: ['group.read'] },
    query: Type.Object(pageQuery({ perPage: 1000, most: 1000 })),
    response: { 200: V1Tags },
    handler: async (request, reply) => {
      const { id } = groupOf(request)
      const { perPage = 1000, page = 1 } = request.query
      const all = await listTagsOfGroup(db, id)
      reply.headers(linkHeader(pageLinks(`${baseUrl}/v1/group/${id}/tags`, { page, perPage }, all.length)))
      const offset = toOffset({ page, perPage })
      return { tags: all.slice(offset, offset + perPage) }
    },
  })
}

function withTag(before: readonly Tag[], tag: Tag): Tag[] {
  if (before.some((existing) => isSame(existing, tag))) return [...before]
  if (before.length < MAX_TAGS) return [...before, tag]
  throw new Problem('unprocessable', `A project may have at most ${MAX_TAGS} tags; remove one first`)
}

function withoutTag(before: readonly Tag[], tag: Tag): Tag[] {
  return before.filter((existing) => !isSame(existing, tag))
}

function isSame(a: Tag, b: Tag): boolean {
  return a.key === b.key && a.value === b.value
}

function attributesRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'setProjectAttributesV1',
    at: `POST ${one}/attributes`,
    summary: 'Set the criticality, environment and lifecycle of a project',
    description: 'Each list replaces the present one; an empty list clears it.',
    tags,
    ...needs('org.project.attributes.edit'),
    params,
    body: Type.Object({
      criticality: LabelLists.business_criticality,
      environment: LabelLists.environment,
      lifecycle: LabelLists.lifecycle,
    }),
    response: { 200: Type.Object({ attributes: V1Attributes }) },
    handler: async (request, reply) => {
      const { criticality, environment, lifecycle } = request.body
      const changed = {
        ...(criticality && { business_criticality: criticality }),
        ...(environment && { environment }),
        ...(lifecycle && { lifecycle }),
      }
      return answerOrgChange(services, { request, reply }, async (change) => {
        const row = await editProject(change, pathProjectId(request), () => changed)
        return { status: 200, body: { attributes: toV1Attributes(row) } }
      })
    },
  })
}

function toSettings({ test_frequency }: ProjectRow): Static<typeof V1Settings> {
  return {
    testFrequency: test_frequency as 'daily' | 'weekly' | 'never',
    pullRequestTestEnabled: false,
    pullRequestFailOnAnyVulns: false,
    pullRequestFailOnlyForHighSeverity: false,
    autoDepUpgradeEnabled: false,
  }
}

function settingsRoutes(scope: Server, services: Services): void {
  const path = `${one}/settings`
  defineOperation(scope, {
    id: 'getProjectSettingsV1',
    at: `GET ${path}`,
    summary: 'Read a project’s settings',
    description: 'This server neither tests nor opens pull requests; the corresponding settings are off.',
    tags,
    access: { org: ['org.read', 'org.project.read'] },
    params,
    response: { 200: V1Settings },
    handler: async (request) => toSettings(await getPathProject(services.db, request)),
  })
  defineOperation(scope, {
    id: 'updateProjectSettingsV1',
    at: `PUT ${path}`,
    summary: 'Change a project’s settings',
    description:
      'This server neither tests nor opens pull requests: the corresponding settings are accepted if off or empty, and refused with 422 otherwise. Returns the settings in effect.',
    tags,
    ...needs('org.project.edit'),
    params,
    body: V1Settings,
    response: { 200: V1Settings },
    handler: async (request, reply) => {
      refuseInertSettings(request.body)
      const { testFrequency } = request.body
      return answerOrgChange(services, { request, reply }, async (change) => {
        const row = await editProject(change, pathProjectId(request), () => ({
          ...(testFrequency !== undefined && { test_frequency: testFrequency }),
        }))
        return { status: 200, body: toSettings(row) }
      })
    },
  })
  defineOperation(scope, {
    id: 'resetProjectSettingsV1',
    at: `DELETE ${path}`,
    summary: 'Reset a project to the default settings',
    tags,
    ...needs('org.project.edit'),
    params,
    response: { 204: Type.Null() },
    handler: async (request, reply) => {
      return answerOrgChange(services, { request, reply }, async (change) => {
        await editProject(change, pathProjectId(request), () => ({ test_frequency: 'daily' }))
      })
    },
  })
}

/**
 * Refuses every value that would have an effect. Accepts values that are off or empty, which clients send for unset
 * members. Throws `Problem` with a pointer per value.
 */
function refuseInertSettings({ testFrequency: _, ...sent }: Static<typeof V1Settings>): void {
  const names = Object.keys(V1Settings.properties)
  const faults = Object.entries(sent)
    .filter(([name, value]) => names.includes(name) && !isOff(value))
    .map(([name]) => ({
      detail: `${name}: this server neither tests nor opens pull requests. Turn it off, or omit it.`,
      source: { pointer: `/${name}` as const },
    }))
  if (faults.length > 0) throw new Problem('unprocessable', faults)
}

/** Returns true for an object without an enabled flag, also as JSON in a text, which some clients send. */
function isOff(value: unknown): boolean {
  if (!value || (Array.isArray(value) && value.length === 0)) return true
  if (value === INHERITED) return true
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^\s*\{/.test(text) && !/:\s*true/.test(text)
}

/** The setting is inherited from the integration, where it is off. */
const INHERITED = 'inherit'
