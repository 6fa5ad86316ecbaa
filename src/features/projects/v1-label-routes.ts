import { type Static, Type } from 'typebox'
import type { Permission } from '#foundation/access/permissions.ts'
import { answerChange } from '#foundation/http/change.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { editProject } from './change-project.ts'
import { LabelLists } from './changed-project.ts'
import { getPathProject, pathProjectId } from './path-project.ts'
import { labelsOf } from './resource.ts'
import type { ProjectRow, Tag } from './store.ts'
import { TagBody, toV1Attributes, V1Attributes, V1Settings, V1Tags } from './v1-resource.ts'

const tags = ['Projects']
const one = '/org/:orgId/project/:projectId'
const params = Type.Object({ orgId: Type.String(), projectId: Type.String() })
const MAX_TAGS = 100

/** What people stick on a project, and how it is treated. */
export function v1LabelRoutes(services: Services): Routes {
  return (scope) => {
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
    { path: 'tags', operationId: 'addProjectTagV1', summary: 'Add a tag to a project', change: withTag },
    { path: 'tags/remove', operationId: 'removeProjectTagV1', summary: 'Take a tag off a project', change: withoutTag },
  ]
  for (const { path, operationId, summary, change } of both) {
    scope.post(
      `${one}/${path}`,
      {
        config: needs('org.project.tag.edit'),
        schema: {
          operationId,
          summary,
          description: 'Repeated, it changes nothing.',
          tags,
          params,
          body: TagBody,
          response: { 200: V1Tags },
        },
      },
      async (request, reply) => {
        const { key, value } = request.body
        const org = orgOf(request)
        return answerChange(services, { request, reply }, async (tx, actor) => {
          const at = services.now()
          const row = await editProject({ tx, org, actor, at }, pathProjectId(request), (before) => ({
            tags: change(labelsOf(before).tags, { key, value }),
          }))
          return { status: 200, body: { tags: labelsOf(row).tags } }
        })
      },
    )
  }
}

function withTag(before: readonly Tag[], tag: Tag): Tag[] {
  if (before.some((each) => isSame(each, tag))) return [...before]
  if (before.length < MAX_TAGS) return [...before, tag]
  throw new Problem('unprocessable', `A project may have ${MAX_TAGS} tags; take one off first`)
}

function withoutTag(before: readonly Tag[], tag: Tag): Tag[] {
  return before.filter((each) => !isSame(each, tag))
}

function isSame(a: Tag, b: Tag): boolean {
  return a.key === b.key && a.value === b.value
}

function attributesRoute(scope: Server, services: Services): void {
  scope.post(
    `${one}/attributes`,
    {
      config: needs('org.project.attributes.edit'),
      schema: {
        operationId: 'setProjectAttributesV1',
        summary: 'Say how critical a project is, where it runs and at which stage it is',
        description: 'What is sent replaces what was there; an empty list clears it.',
        tags,
        params,
        body: Type.Object({
          criticality: LabelLists.business_criticality,
          environment: LabelLists.environment,
          lifecycle: LabelLists.lifecycle,
        }),
        response: { 200: Type.Object({ attributes: V1Attributes }) },
      },
    },
    async (request, reply) => {
      const { criticality, environment, lifecycle } = request.body
      const changed = {
        ...(criticality && { business_criticality: criticality }),
        ...(environment && { environment }),
        ...(lifecycle && { lifecycle }),
      }
      const org = orgOf(request)
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const change = { tx, org, actor, at: services.now() }
        const row = await editProject(change, pathProjectId(request), () => changed)
        return { status: 200, body: { attributes: toV1Attributes(row) } }
      })
    },
  )
}

const notHere = [
  'pullRequestTestEnabled',
  'pullRequestFailOnAnyVulns',
  'pullRequestFailOnlyForHighSeverity',
  'pullRequestFailOnlyForIssuesWithFix',
  'autoDepUpgradeEnabled',
] as const

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
  scope.get(
    path,
    {
      config: { access: { org: ['org.read', 'org.project.read'] } },
      schema: {
        operationId: 'getProjectSettingsV1',
        summary: 'Read a project’s settings',
        description: 'Pull requests are neither tested nor opened by this server, which its settings say.',
        tags,
        params,
        response: { 200: V1Settings },
      },
    },
    async (request) => toSettings(await getPathProject(services.db, request)),
  )
  scope.put(
    path,
    {
      config: needs('org.project.edit'),
      schema: {
        operationId: 'updateProjectSettingsV1',
        summary: 'Change a project’s settings',
        description:
          'What this server does not do can be turned off, which it is already, but not on. The answer repeats what was taken.',
        tags,
        params,
        body: V1Settings,
        response: { 200: V1Settings },
      },
    },
    async (request, reply) => {
      refuseWhatIsNotHere(request.body)
      const { testFrequency } = request.body
      const org = orgOf(request)
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const change = { tx, org, actor, at: services.now() }
        await editProject(change, pathProjectId(request), () => ({
          ...(testFrequency !== undefined && { test_frequency: testFrequency }),
        }))
        return { status: 200, body: request.body }
      })
    },
  )
  scope.delete(
    path,
    {
      config: needs('org.project.edit'),
      schema: {
        operationId: 'resetProjectSettingsV1',
        summary: 'Give a project the settings that new ones have',
        tags,
        params,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const org = orgOf(request)
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const change = { tx, org, actor, at: services.now() }
        await editProject(change, pathProjectId(request), () => ({ test_frequency: 'daily' }))
        return { status: 204 }
      })
    },
  )
}

function refuseWhatIsNotHere(settings: Static<typeof V1Settings>): void {
  const name = notHere.find((each) => settings[each])
  const wanted = name ?? (isWanted(settings.autoRemediationPrs) ? 'autoRemediationPrs' : undefined)
  if (wanted === undefined) return
  throw new Problem('unprocessable', `${wanted}: this server neither tests nor opens pull requests`, {
    source: { pointer: `/${wanted}` },
  })
}

/** Clients send it as an object, or as JSON in a text. */
function isWanted(value: unknown): boolean {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? {})
  return /"(freshPrsEnabled|backlogPrsEnabled)":\s*true/.test(text)
}
